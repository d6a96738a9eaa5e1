import type { Verdict } from "../../messages/verdict.ts";
import { VerdictIds } from "./verdict-ids.ts";

/** The fields of a verdict that say whether another verdict replaces it. */
type Versioned = Pick<Verdict, "verdict_id" | "revision" | "unanswered">;

/** Most verdicts that wait for an answered copy. Such copies were written within seconds of each other. */
const MAX_HELD = 10_000;

/** The verdicts that a reader leaves out, by the reason. */
export interface LeftOut {
  /** Verdicts with a later revision. */
  older: number;
  /** Copies of a revision, which a crash may leave. */
  copies: number;
}

/**
 * Selects the latest revision of each verdict, when verdicts come newest first. Of one revision, an answered verdict
 * counts, in whatever order the two were written. Source: `unanswered` in docs/schemas/verdict.schema.json.
 */
export class LatestVerdicts<V extends Versioned> {
  readonly leftOut: LeftOut = { older: 0, copies: 0 };
  readonly #decided = new VerdictIds();
  /** Unanswered verdicts, by id. An answered copy of the same revision may still come. */
  readonly #held = new Map<string, V>();
  /** Revisions above 0, by id. Nearly every verdict has revision 0. */
  readonly #revisions = new Map<string, number>();

  /** @returns the verdicts that are certainly the latest of their ids. */
  add(verdict: V): readonly V[] {
    const { verdict_id: id, revision, unanswered } = verdict;
    const held = this.#held.get(id);
    if (held !== undefined) {
      if (held.revision > revision) return this.#drop("older");
      if (unanswered === true) return this.#drop("copies");
      this.#held.delete(id);
      this.leftOut.copies++;
      return [verdict];
    }
    if (!this.#decided.add(id)) return this.#drop(this.#isOlder(id, revision) ? "older" : "copies");
    if (revision > 0) this.#revisions.set(id, revision);
    if (unanswered !== true) return [verdict];
    this.#held.set(id, verdict);
    if (this.#held.size <= MAX_HELD) return [];
    const [[first, oldest]] = this.#held as unknown as [[string, V]];
    this.#held.delete(first);
    return [oldest];
  }

  /** The verdicts that were still waiting. */
  finish(): readonly V[] {
    const rest = [...this.#held.values()];
    this.#held.clear();
    return rest;
  }

  #isOlder(id: string, revision: number): boolean {
    return (this.#revisions.get(id) ?? 0) > revision;
  }

  #drop(why: keyof LeftOut): readonly V[] {
    this.leftOut[why]++;
    return [];
  }
}
