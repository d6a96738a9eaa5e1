import type { Finder } from "./rate-search.ts";

/** Close enough: faster over slower. */
const CLOSE = 1.03;
/**
 * Once it is so narrow, it is tried so far up: what passes costs little of the quota, and each 429 a second of it. Chosen by
 * simulation: halved to the end, 50 and 200 a second were in use to 0.90 from 10 to 30 s, now to 0.93.
 */
const NARROW = 1.2;
const LOW = 0.2;
const HALF = 0.5;
/** Of the fastest rate that passed. */
const MARGIN = 0.985;
const MIN_STEP_MS = 1_000;

/**
 * Finds a rate between one that passed and one that did not, for services whose 429 says how long to wait. It says
 * whole seconds: who keeps to that uses up nothing of the quota meanwhile, so counting what is taken would find too little.
 */
export class Bracket implements Finder {
  readonly stepRequests = 20;
  readonly stepMs: number;
  #passed: number;
  #failed: number;
  /** Whether a rate was tried here that did not pass. */
  hasFailed = false;

  /** @param windowMs about as long as the service counts. */
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
