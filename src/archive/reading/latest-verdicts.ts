import type { Verdict } from "../../messages/verdict.ts";
import { VerdictIds } from "./verdict-ids.ts";

/** The fields of a verdict that say whether another verdict replaces it. */
type Versioned = Pick<Verdict, "verdict_id" | "revision" | "unanswered">;

/** Most verdicts that wait for an answered copy. Such copies were written within seconds of each other. */
const MAX_HELD = 10_000;
/** Distance in which a copy is certainly recognised. Chosen: a crash repeats the events in flight, 100,000 at most. */
const RECENT = 1_000_000;

/**
 * Selects the latest revision of each verdict, when verdicts come newest first. Of one revision, an answered verdict
 * counts, in whatever order the two were written. Source: `unanswered` in docs/schemas/verdict.schema.json.
 *
 * Revised verdicts are remembered for ever. Of the others, which are nearly all, the last 1 to 2 million are remembered,
 * so that copies count once and ten million verdicts need no more memory than one.
 */
export class LatestVerdicts<V extends Versioned> {
  #leftOut = 0;
  /** Verdicts of which a revision above 0 came. */
  readonly #revised = new VerdictIds();
  #recent = new VerdictIds();
  #before = new VerdictIds();
  #count = 0;
  /** Unanswered verdicts, by id. An answered copy of the same revision may still come. */
  readonly #held = new Map<string, V>();

  /** Earlier revisions, and copies that a crash leaves. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** @returns the verdicts that are certainly the latest of their ids. */
  add(verdict: V): readonly V[] {
    const { verdict_id: id, revision, unanswered } = verdict;
    const held = this.#held.get(id);
    if (held !== undefined) {
      this.#leftOut++;
      if (held.revision > revision || unanswered === true) return [];
      this.#held.delete(id);
      return [verdict];
    }
    if (!this.#isFirst(id, revision)) {
      this.#leftOut++;
      return [];
    }
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

  #isFirst(id: string, revision: number): boolean {
    if (revision > 0) return this.#revised.add(id);
    if (this.#revised.has(id) || this.#before.has(id) || !this.#recent.add(id)) return false;
    if (++this.#count < RECENT) return true;
    this.#before = this.#recent;
    this.#recent = new VerdictIds();
    this.#count = 0;
    return true;
  }
}
