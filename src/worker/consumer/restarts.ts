/** Restarts within so long are counted together, milliseconds. Chosen. */
const WINDOW_MS = 600_000;
const MAX_RESTARTS = 5;
/**
 * Restarts within so long of one that counts are that one, milliseconds: while a broker is down, kafkajs begins anew
 * several times a second. Chosen: five of them are as long as work may stand still.
 */
const BURST_MS = 36_000;

/** Whether a consumer begins anew so often that nothing is gained by it any more. */
export class Restarts {
  #at: number[] = [];

  /** Something was settled, or all was well with nothing to do: whatever failed before is over. */
  progress(): void {
    if (this.#at.length > 0) this.#at = [];
  }

  /** One more restart. @param now milliseconds on the monotonic clock. */
  isOneTooMany(now: number): boolean {
    if (now - (this.#at.at(-1) ?? Number.NEGATIVE_INFINITY) < BURST_MS) return false;
    this.#at = [...this.#at.filter((at) => now - at < WINDOW_MS), now];
    return this.#at.length > MAX_RESTARTS;
  }
}
