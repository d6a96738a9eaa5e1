/**
 * The earliest time of the next permit while the pace changes. The next permit comes at least a gap after the last one
 * was due. Since then, the fractions of a permit that accrued at each pace must add up to a whole one. Frequent changes
 * of the pace never cost more than the slowest pace. Unused permits do not add up.
 *
 * A permit may be requested in time and used late, because the process is busy. It then does not delay the next permit,
 * up to the share c of a gap. So any Q + 1 permits in a row take at least Q - c gaps. In any time, at most 1 + c
 * permits more come than the paces add up to. Times are ticks and gaps, in milliseconds.
 */
export class NextSlot {
  readonly #catchUp: number;
  #gapMs: number;
  /** When the last permit was due. */
  #dueAt = Number.NEGATIVE_INFINITY;
  /** The fraction of a permit that accrued until `#countedAt`: at most 1. */
  #come = 1;
  #countedAt = Number.NEGATIVE_INFINITY;

  /**
   * The first permit may be used at once.
   *
   * @param gapMs 0: permits come at once.
   * @param catchUp share of a gap by which a permit may be used late without delaying the next one.
   */
  constructor(gapMs: number, catchUp: number) {
    this.#catchUp = catchUp;
    this.#gapMs = gapMs;
  }

  /** The earliest time of the next permit. It may be in the past. */
  get at(): number {
    return Math.max(this.#dueAt + this.#gapMs, this.#countedAt + (1 - this.#come) * this.#gapMs);
  }

  /** @param wantedAt when the permit was requested. */
  used(now: number, wantedAt = now): void {
    const dueAt = Math.max(this.at, wantedAt);
    const lateMs = Math.min(Math.max(now - dueAt, 0), this.#catchUp * this.#gapMs);
    this.#dueAt = now - lateMs;
    this.#come = this.#gapMs === 0 ? 0 : lateMs / this.#gapMs;
    this.#countedAt = now;
  }

  /** After a gap of 0 the next permit is a whole gap away. */
  pace(gapMs: number, now: number): void {
    // A later pace applies to the first permit, too. Otherwise a pace that stops all requests would let it pass.
    if (this.#dueAt === Number.NEGATIVE_INFINITY) this.#dueAt = now - this.#gapMs;
    this.#come = this.#gapMs === 0 ? 0 : Math.min(1, this.#come + (now - this.#countedAt) / this.#gapMs);
    this.#countedAt = now;
    this.#gapMs = gapMs;
  }
}
