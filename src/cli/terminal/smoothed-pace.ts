/** Time over which the pace is smoothed, milliseconds. Chosen: longer than the bursts of a quota per 10 seconds. */
const MEMORY_MS = 30_000;
/** Time before which the pace says nothing: a run begins with the calibration of its batches. */
const FIRST_MS = 2_000;

/**
 * The pace of a run of late. Each look counts by its time, so bursts do not make a remaining time jump, and a run that
 * becomes slower shows it within a minute.
 */
export class SmoothedPace {
  #done = 0;
  #elapsedMs = 0;
  #perSecond: number | undefined;

  /** @returns events a second; undefined at the beginning of a run. */
  add(done: number, elapsedMs: number): number | undefined {
    const spentMs = elapsedMs - this.#elapsedMs;
    if (spentMs <= 0) return this.#known(elapsedMs);
    const now = ((done - this.#done) * 1000) / spentMs;
    const weight = 1 - Math.exp(-spentMs / MEMORY_MS);
    // In the first minute the average of the run is the better estimate.
    this.#perSecond =
      elapsedMs < 2 * MEMORY_MS || this.#perSecond === undefined
        ? (done * 1000) / elapsedMs
        : this.#perSecond + weight * (now - this.#perSecond);
    this.#done = done;
    this.#elapsedMs = elapsedMs;
    return this.#known(elapsedMs);
  }

  #known(elapsedMs: number): number | undefined {
    return elapsedMs < FIRST_MS ? undefined : this.#perSecond;
  }
}
