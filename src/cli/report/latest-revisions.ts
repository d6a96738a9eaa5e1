import type { Verdict } from "../../messages/verdict.ts";
import { type RankedVerdict, verdictRank } from "../../messages/verdict-rank.ts";

type Ranked = Pick<Verdict, "verdict_id"> & RankedVerdict;

/** Hexadecimal digits that a number holds without loss. Two of a million ids share them once in 9,000 folders. */
const DIGITS = 13;

/**
 * The latest revisions of verdicts that were revised. Nearly every verdict is its own first and last revision, and takes
 * no memory here. Source: `docs/kafka.md`, which verdict counts.
 */
export class LatestRevisions {
  readonly #ranks = new Map<number, number>();

  /** Records a verdict. Every verdict of a folder comes before the first call of `isReplaced`. */
  add(verdict: Ranked): void {
    if (verdict.revision === 0) return;
    const key = keyOf(verdict);
    this.#ranks.set(key, Math.max(this.#ranks.get(key) ?? 0, verdictRank(verdict)));
  }

  /** Whether another verdict on the same event counts in place of this one. */
  isReplaced(verdict: Ranked): boolean {
    if (this.#ranks.size === 0) return false;
    return (this.#ranks.get(keyOf(verdict)) ?? 0) > verdictRank(verdict);
  }
}

function keyOf({ verdict_id }: Ranked): number {
  return Number.parseInt(verdict_id.slice(0, DIGITS), 16);
}
