import { type CheckEntry, lacking, type Verdict } from "../../../messages/verdict.ts";

/**
 * Most lines with kept answers, and most bytes of their verdicts. Both are bounded, however often the service fails.
 */
const MAX_LINES = 10_000;
const MAX_BYTES = 64 * 2 ** 20;

interface Kept {
  readonly checks: readonly CheckEntry[];
  readonly bytes: number;
}

/** Answers to be used again, by line, for as many lines as there is room for. A missing answer is requested again. */
export class KeptAnswers {
  readonly #kept = new Map<number, Kept>();
  #bytes = 0;

  of(line: number): readonly CheckEntry[] {
    return this.#kept.get(line)?.checks ?? [];
  }

  /**
   * Keeps the checks of a verdict that have a final answer from the service. A finding beside an input that cannot be
   * checked is kept, too. @param bytes size of the verdict as JSON.
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
