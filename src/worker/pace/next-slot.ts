/**
 * When the next slot may be used while the pace changes: a gap after the last one, and not before as much of a slot has
 * come, at each pace that held since then, as makes a whole one. So no two are closer than the gap that holds, in any
 * time come at most as many as the paces add up to and one more, and a pace that changes to and fro, however often,
 * costs no more than the slowest one. What comes while nobody asks does not add up. Times are ticks and gaps,
 * milliseconds.
 */
export class NextSlot {
  #gapMs: number;
  #usedAt = Number.NEGATIVE_INFINITY;
  /** Of a slot, what has come until `#countedAt`: 1 at most. */
  #come = 1;
  #countedAt = Number.NEGATIVE_INFINITY;

  /** The first slot may be used at once. @param gapMs 0: whenever somebody asks. */
  constructor(gapMs: number) {
    this.#gapMs = gapMs;
  }

  /** The earliest time; it may be in the past. */
  get at(): number {
    return Math.max(this.#usedAt + this.#gapMs, this.#countedAt + (1 - this.#come) * this.#gapMs);
  }

  used(now: number): void {
    this.#usedAt = now;
    this.#come = 0;
    this.#countedAt = now;
  }

  /** After a gap of 0 the next slot is a whole gap away. */
  pace(gapMs: number, now: number): void {
    // The first slot is no exception to a pace that comes later: one that closes would let it go by.
    if (this.#usedAt === Number.NEGATIVE_INFINITY) this.#usedAt = now - this.#gapMs;
    this.#come = this.#gapMs === 0 ? 0 : Math.min(1, this.#come + (now - this.#countedAt) / this.#gapMs);
    this.#countedAt = now;
    this.#gapMs = gapMs;
  }
}
