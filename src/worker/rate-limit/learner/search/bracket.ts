import type { RateSearch } from "./rate-search.ts";

/** Ratio of the faster to the slower rate at which the bracket is narrow enough to end. */
const CLOSE = 1.03;
/**
 * Below this ratio, the next try is LOW of the way up instead of HALF. A rate that passes costs little of the quota,
 * and each 429 costs a second of it. Chosen by simulation: with halving to the end, 50 and 200 per second were used at
 * 0.90 from 10 to 30 s. Now they are used at 0.93.
 */
const NARROW = 1.2;
const LOW = 0.2;
const HALF = 0.5;
/** Share of the fastest rate that passed. */
const MARGIN = 0.985;
const MIN_STEP_MS = 1_000;

/**
 * Finds a rate between one that passed and one that failed. It serves services with 429s that say how long to wait. The
 * announced wait is in whole seconds. A worker that keeps to it uses nothing of the quota meanwhile. A count of
 * accepted requests would therefore be too low.
 */
export class Bracket implements RateSearch {
  readonly stepRequests = 20;
  readonly stepMs: number;
  #passed: number;
  #failed: number;
  /** Whether this bracket has tried a rate that failed. */
  hasFailed = false;

  /** @param windowMs approximate length of the service's window. */
  constructor(passed: number, failed: number, windowMs: number) {
    this.#passed = Math.min(passed, failed);
    this.#failed = failed;
    this.stepMs = Math.max(MIN_STEP_MS, 2 * windowMs);
  }

  get rate(): number {
    const width = this.#failed / this.#passed;
    return this.#passed * width ** (width < NARROW ? LOW : HALF);
  }

  passed(): number | undefined {
    this.#passed = this.rate;
    return this.#found();
  }

  opened(): number | undefined {
    this.#failed = this.rate;
    this.hasFailed = true;
    return this.#found();
  }

  restart(): void {}

  #found(): number | undefined {
    return this.#failed <= CLOSE * this.#passed ? MARGIN * this.#passed : undefined;
  }
}
