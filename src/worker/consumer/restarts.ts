/** Restarts within this time count together, milliseconds. Chosen. */
const WINDOW_MS = 600_000;
const MAX_RESTARTS = 5;
/**
 * Restarts within this time after a counted restart do not count, milliseconds. While a broker is down, kafkajs
 * restarts several times a second. Chosen: five such times are as long as work may stand still.
 */
const BURST_MS = 36_000;

/** Detects a consumer that restarts so often that another restart is pointless. */
export class Restarts {
  #at: number[] = [];

  /** A record was completed, or the idle consumer was healthy. Earlier restarts no longer count. */
  progress(): void {
    if (this.#at.length > 0) this.#at = [];
  }

  /** Counts one restart. @param now milliseconds on the monotonic clock. */
  isOneTooMany(now: number): boolean {
    if (now - (this.#at.at(-1) ?? Number.NEGATIVE_INFINITY) < BURST_MS) return false;
    this.#at = [...this.#at.filter((at) => now - at < WINDOW_MS), now];
    return this.#at.length > MAX_RESTARTS;
  }
}
