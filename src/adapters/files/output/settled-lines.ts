import type { Ticket } from "../../../messages/ticket.ts";
import { type CheckEntry, lacking, type Verdict } from "../../../messages/verdict.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { NumberByLine } from "./number-by-line.ts";

/** The next verdict of a line for which an answer of the service is missing. */
interface Owed {
  /** Revision of the next verdict. */
  readonly revision: number;
  /** The kept answers of the last verdict. The new attempt must not lose them. */
  readonly checks: readonly CheckEntry[];
}

/**
 * The lines of an input that have a verdict, and the lines for which an answer of the service is missing. For each line
 * it keeps 32 bits of the verdict id, enough to see that the line has changed. For each line with a missing answer it
 * keeps 32 bits of the revision.
 */
export class SettledLines {
  readonly #marks = new NumberByLine();
  readonly #revisions = new NumberByLine();
  readonly #answers = new KeptAnswers();
  #size = 0;

  /** Lines that have a verdict. */
  get size(): number {
    return this.#size;
  }

  /** Records the verdict of a line. The last verdict counts. @param bytes size of the verdict as JSON. */
  add(line: number, verdict: Verdict, bytes: number): void {
    const isOwed = lacking(verdict) === "service";
    if (this.#marks.get(line) === 0) this.#size++;
    this.#marks.set(line, markOf(verdict.verdict_id));
    this.#revisions.set(line, isOwed ? verdict.revision + 1 : 0);
    this.#answers.drop(line);
    if (isOwed) this.#answers.keep(line, verdict, bytes);
  }

  /** "open": the line has no verdict. "settled": it has this verdict. "other": it has a different verdict. */
  lookUp(line: number, verdictId: string): "open" | "settled" | "other" {
    const mark = this.#marks.get(line);
    if (mark === 0) return "open";
    return mark === markOf(verdictId) ? "settled" : "other";
  }

  /** The missing answers of a line that has a verdict, if any. */
  owed(line: number): Owed | undefined {
    const revision = this.#revisions.get(line);
    return revision === 0 ? undefined : { revision, checks: this.#answers.of(line) };
  }

  /** Whether the verdict that a ticket asks for is still missing. */
  awaits({ source, verdict_id, revision }: Ticket): boolean {
    if (!("line" in source)) return false;
    const state = this.lookUp(source.line, verdict_id);
    if (state === "other") return false;
    const next = state === "open" ? 0 : this.owed(source.line)?.revision;
    return next === revision;
  }
}

/** 0 stands for no mark. */
function markOf(verdictId: string): number {
  return Number.parseInt(verdictId.slice(0, 8), 16) || 1;
}
