import type { Opening, RateSearch } from "./search/rate-search.ts";

/**
 * Factor below the measured rate. At this distance evenly spaced requests pass a window of any phase, in spite of
 * jitter. Chosen by simulation: at 0.99 a sliding window of 200 per second refuses 0.4 %.
 */
export const MARGIN = 0.985;
/** Factor above the measured rate, so that the quota is used up again and again. */
const OVER = 1.05;
/** Factor for the next step when the rate was too slow to use up the quota. */
const FASTER = 1.15;
/**
 * Bounds of a new estimate: its share of the estimate before, its delay in milliseconds, and the requests that it
 * needs.
 */
const MAX_FALL = 0.6;
const MIN_ADJUST_MS = 250;
const MIN_ADJUST_REQUESTS = 5;
/**
 * Shortest time for a new estimate, in short windows. A sliding window opens in fits after a burst. A quota that was
 * cut needs a faster estimate.
 */
const MIN_ADJUST_WINDOWS = 0.5;
/** Requests that a measurement takes: of a quota that was cut, and otherwise. */
const REQUESTS_IN_HASTE = 20;
const REQUESTS = 35;
/** Largest uncertainty of its begin and its end, as a share of its length. */
const MAX_UNSURE = 0.03;
/** A result below this share of the expected rate is measured once more. */
const SUSPICIOUS = 0.93;
/** A shorter window is measured for twice its length, milliseconds. */
const SHORT_WINDOW_MS = 5_000;
/** Largest number of requests between two 429s while the quota is used in full. */
const FULL_REQUESTS = 45;
/** After this many windows, and this many milliseconds, a measurement ends with the requests accepted so far. */
const LONGEST_WINDOWS = 6;
const LONGEST_MS = 6_000;
/** From this rate on, one probe at a time would leave part of the quota unused. Requests per second. */
const FAST = 25;

export interface MeasurementOptions {
  /** The opening from which it counts. */
  readonly from: Opening;
  /** The initial rate, requests per second. */
  readonly rate: number;
  /** Lower bound of the rate, requests per second. */
  readonly least: number;
  /** The rate that was assumed before; 0: unknown. */
  readonly expected: number;
  /** Whether the quota was cut, so that its rate must be found soon. */
  readonly isUrgent: boolean;
  /** Approximate length of the service's window, milliseconds. */
  readonly windowMs: number;
}

/**
 * Measures a quota by using it up. Between two openings of the quota, exactly as many requests are accepted as it
 * allows. That holds for windows and for tokens. After bursts a sliding window opens in fits and starts, so a
 * measurement takes at least one window.
 */
export class Measurement implements RateSearch {
  readonly stepRequests = 3;
  readonly #options: MeasurementOptions;
  #windowMs: number;
  #rate: number;
  #from: Opening;
  #last: Opening;
  #expected: number;
  #adjustedAt: number;
  /** Whether counting starts at the next opening, because part of the quota was unused until then. */
  #isFresh: boolean;
  /** The first opening of all. */
  #begun: Opening | undefined;
  /** Whether the rate has drawn a 429 yet. */
  #wasFast = false;

  constructor(options: MeasurementOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs;
    this.#rate = options.rate;
    this.#from = options.from;
    this.#last = options.from;
    this.#expected = options.expected;
    this.#adjustedAt = options.from.at;
    this.#isFresh = options.rate > FAST;
  }

  get rate(): number {
    return this.#rate;
  }

  /**
   * A fixed window refuses only at its end. Once the rate was fast enough, it takes a window to see that it no longer
   * is.
   */
  get stepMs(): number {
    return Math.max(500, this.#wasFast && this.#windowMs < SHORT_WINDOW_MS ? 0.8 * this.#windowMs : this.#windowMs / 4);
  }

  passed(): undefined {
    this.#rate *= FASTER;
  }

  opened(opening: Opening, usedUpAt: number): number | undefined {
    const last = this.#last;
    this.#last = opening;
    this.#wasFast = true;
    const wasFull = usedUpAt - last.at <= Math.max(1.2 * this.#windowMs, (1_000 * FULL_REQUESTS) / this.#rate);
    this.#begun ??= opening;
    if (this.#isFresh || !wasFull) {
      this.#isFresh = false;
      this.#from = opening;
      return this.#inTheEnd(this.#begun, opening);
    }
    const lengthMs = opening.at - this.#from.at;
    if (opening.at - usedUpAt < lengthMs) this.#windowMs = Math.max(this.#windowMs, opening.at - usedUpAt);
    return this.#judge(opening, lengthMs);
  }

  restart(opening: Opening): void {
    this.#begun = opening;
    this.#last = opening;
    this.#from = opening;
  }

  /** The window's length, as far as it is known from the times for which the quota was used up. Milliseconds. */
  get windowMs(): number {
    return this.#windowMs;
  }

  #judge(opening: Opening, lengthMs: number): number | undefined {
    const { isUrgent } = this.#options;
    const count = opening.taken - this.#from.taken;
    // One request more or less is chance. An estimate that is too high costs 429s, and one that is too low costs
    // little.
    const perSecond = (1_000 * (count - 0.5)) / lengthMs;
    const spanMs = this.#windowMs < SHORT_WINDOW_MS ? 2 * this.#windowMs : this.#windowMs;
    if (count < (isUrgent ? REQUESTS_IN_HASTE : REQUESTS) || lengthMs < spanMs) {
      const isTooShort = !isUrgent && lengthMs < MIN_ADJUST_WINDOWS * Math.min(this.#windowMs, SHORT_WINDOW_MS);
      if (!isTooShort && count >= MIN_ADJUST_REQUESTS && opening.at - this.#adjustedAt >= MIN_ADJUST_MS) {
        this.#adjustedAt = opening.at;
        this.#send(Math.max(OVER * perSecond, MAX_FALL * this.#rate));
      }
      return undefined;
    }
    if ((this.#from.unsureMs + opening.unsureMs) / 2 > MAX_UNSURE * lengthMs) {
      if (opening.unsureMs < this.#from.unsureMs) this.#from = opening;
      this.#send(OVER * perSecond);
      return undefined;
    }
    if (perSecond < SUSPICIOUS * this.#expected) {
      this.#expected = 0;
      this.#from = opening;
      this.#send(OVER * OVER * perSecond);
      return undefined;
    }
    return MARGIN * perSecond;
  }

  /** Ends a measurement that never uses the quota in full, for example because permits come late on a busy machine. */
  #inTheEnd(begun: Opening, { at, taken }: Opening): number | undefined {
    const lengthMs = at - begun.at;
    if (lengthMs < Math.max(LONGEST_MS, LONGEST_WINDOWS * this.#windowMs)) return undefined;
    return (MARGIN * 1_000 * (taken - begun.taken)) / lengthMs;
  }

  #send(rate: number): void {
    this.#rate = Math.max(this.#options.least, rate);
  }
}
