import type { Verdict } from "../../messages/verdict.ts";
import { FIRST_REVISION, verdictRank } from "../../messages/verdict-rank.ts";
import { VerdictIds } from "./verdict-ids.ts";

/** Distance in which a copy is certainly recognised. Chosen: a crash repeats the events in flight, 100,000 at most. */
const RECENT = 1_000_000;
/** Digits of an id by which it is kept. */
const KEPT_DIGITS = 32;

/**
 * Selects the verdict that counts of each id, in two readings of the same verdicts in any order. The first reading
 * notes every verdict, the second asks for every verdict.
 *
 * Only ids of revised and of copied verdicts stay in memory. Copies of revision 0 that lie further apart than a million
 * verdicts both count.
 */
export class CountedVerdicts {
  /** The highest rank of each id with several verdicts, or undefined once that verdict was counted. */
  readonly #best = new Map<string, number | undefined>();
  readonly #seed: number;
  #recent: VerdictIds;
  #before: VerdictIds;
  #noted = 0;

  /** @param seed Any 32 bits that a writer of verdicts does not know. */
  constructor(seed: number) {
    this.#seed = seed;
    this.#recent = new VerdictIds(seed);
    this.#before = new VerdictIds(seed);
  }

  /** First reading. @param rank See `verdictRank`. */
  note(id: string, rank: number): void {
    const key = id.slice(0, KEPT_DIGITS);
    const best = this.#best.get(key);
    if (best !== undefined) {
      if (rank > best) this.#best.set(key, rank);
      return;
    }
    if (rank >= FIRST_REVISION) {
      this.#best.set(key, rank);
      return;
    }
    const copied = this.#before.rankOf(id) ?? this.#recent.add(id, rank);
    if (copied !== undefined) this.#best.set(key, Math.max(copied, rank));
    if (++this.#noted < RECENT) return;
    this.#before = this.#recent;
    this.#recent = new VerdictIds(this.#seed);
    this.#noted = 0;
  }

  /** Second reading: whether this verdict counts. Of equal copies, the first one does. */
  counts(verdict: Verdict): boolean {
    if (this.#best.size === 0) return true;
    const key = verdict.verdict_id.slice(0, KEPT_DIGITS);
    if (!this.#best.has(key)) return true;
    if (this.#best.get(key) !== verdictRank(verdict)) return false;
    this.#best.set(key, undefined);
    return true;
  }
}
