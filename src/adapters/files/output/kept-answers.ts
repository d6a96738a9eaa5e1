import { type CheckEntry, lacking, type Verdict } from "../../../messages/verdict.ts";

/** Lines whose answers are kept, and bytes of the verdicts that they are of: so much is bounded, whatever the service failed. */
const MAX_LINES = 10_000;
const MAX_BYTES = 64 * 2 ** 20;

interface Kept {
  readonly checks: readonly CheckEntry[];
  readonly bytes: number;
}

/** Answers to be used again, by line: of as many lines as there is room for. What is not kept is asked again. */
export class KeptAnswers {
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;

  of(line: number): readonly CheckEntry[] {
    return this.#kept.get(line)?.checks ?? [];
  }

  /**
   * Keeps those of a verdict's checks that have an answer to which the service owes nothing more: also what was flagged
   * beside an input that cannot be asked about. @param bytes how many the verdict takes as JSON.
   */
  keep(line: number, { checks, decision }: Pick<Verdict, "checks" | "decision">, bytes: number): void {
    if (this.#kept.size >= MAX_LINES || this.#bytes + bytes > MAX_BYTES) return;
    const answered = checks.filter(
      (entry) => entry.data !== undefined && lacking({ checks: [entry], decision }) !== "service",
    );
    if (answered.length === 0) return;
    this.#kept.set(line, { checks: answered, bytes });
    this.#bytes += bytes;
  }

  drop(line: number): void {
    this.#bytes -= this.#kept.get(line)?.bytes ?? 0;
    this.#kept.delete(line);
  }
}
