import type { Ticket } from "../../../messages/ticket.ts";
import { type CheckEntry, lacking, type Verdict } from "../../../messages/verdict.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { NumberByLine } from "./number-by-line.ts";

/** What is to become of a line whose service owes an answer. */
interface Owed {
  /** Of the verdict to come. */
  readonly revision: number;
  /** What the last verdict has of answers, as far as they are kept: they are not to be lost by asking once more. */
  readonly checks: readonly CheckEntry[];
}

/**
 * Which lines of an input have a verdict, and which of those the service owes an answer. Of each line it keeps 32 bits of
 * its verdict's id, enough to see that it is not what it was, and of each that is owed 32 of its revision.
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

  /** The last verdict on a line counts. @param bytes how many the verdict takes as JSON. */
  add(line: number, verdict: Verdict, bytes: number): void {
    const isOwed = lacking(verdict) === "service";
    if (this.#marks.get(line) === 0) this.#size++;
    this.#marks.set(line, markOf(verdict.verdict_id));
    this.#revisions.set(line, isOwed ? verdict.revision + 1 : 0);
    this.#answers.drop(line);
    if (isOwed) this.#answers.keep(line, verdict, bytes);
  }

  /** Whether `line` has a verdict, and this one; `other` when it is one that is not this. */
  lookUp(line: number, verdictId: string): "open" | "settled" | "other" {
    const mark = this.#marks.get(line);
    if (mark === 0) return "open";
    return mark === markOf(verdictId) ? "settled" : "other";
  }

  /** What the service owes to a line that has a verdict, if anything. */
  owed(line: number): Owed | undefined {
    const revision = this.#revisions.get(line);
    return revision === 0 ? undefined : { revision, checks: this.#answers.of(line) };
  }

  /** Whether the verdict is still to come that a ticket was for. */
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
