/**
 * When the next slot may be used while the pace changes: a gap after the last one was due, and not before as much of a slot
 * has come, at each pace that held since then, as makes a whole one. A pace that changes to and fro, however often, costs
 * no more than the slowest one. What comes while nobody asks does not add up. One that was asked for in time and is used
 * late, since the process was busy, takes nothing from the next, up to a part of a gap, c. So any Q + 1 in a row take Q - c
 * gaps at least, and in any time come at most as many as the paces add up to and 1 + c more. Times are ticks and gaps,
 * milliseconds.
 */
export class NextSlot {
  readonly #catchUp: number;
  #gapMs: number;
  /** Of the last one. */
  #dueAt = Number.NEGATIVE_INFINITY;
  /** Of a slot, what has come until `#countedAt`: 1 at most. */
  #come = 1;
  #countedAt = Number.NEGATIVE_INFINITY;

  /**
   * The first slot may be used at once.
   *
   * @param gapMs 0: whenever somebody asks. @param catchUp of a gap, how late a slot may be used without costing the next.
   */
  constructor(gapMs: number, catchUp: number) {
    this.#catchUp = catchUp;
    this.#gapMs = gapMs;
  }

  /** The earliest time; it may be in the past. */
  get at(): number {
    return Math.max(this.#dueAt + this.#gapMs, this.#countedAt + (1 - this.#come) * this.#gapMs);
  }

  /** @param wantedAt since when somebody has asked for it. */
  used(now: number, wantedAt = now): void {
    const dueAt = Math.max(this.at, wantedAt);
    const lateMs = Math.min(Math.max(now - dueAt, 0), this.#catchUp * this.#gapMs);
    this.#dueAt = now - lateMs;
    this.#come = this.#gapMs === 0 ? 0 : lateMs / this.#gapMs;
    this.#countedAt = now;
  }

  /** After a gap of 0 the next slot is a whole gap away. */
  pace(gapMs: number, now: number): void {
    // The first slot is no exception to a pace that comes later: one that closes would let it go by.
    if (this.#dueAt === Number.NEGATIVE_INFINITY) this.#dueAt = now - this.#gapMs;
    this.#come = this.#gapMs === 0 ? 0 : Math.min(1, this.#come + (now - this.#countedAt) / this.#gapMs);
    this.#countedAt = now;
    this.#gapMs = gapMs;
  }
}
