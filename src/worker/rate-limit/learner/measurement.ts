import type { Finder, Opening } from "./search/rate-search.ts";

/**
 * Of what was measured: so far below, evenly spaced requests pass a window of any phase, in spite of jitter. Chosen by
 * simulation: at 0.99 a sliding window of 200 a second refuses 0.4 %.
 */
export const MARGIN = 0.985;
/** A little faster than what is measured, so that the quota is used up time and again. */
const OVER = 1.05;
/** When that was too slow. */
const FASTER = 1.15;
/** A new estimate is at least so much of the one before, and so late after it, milliseconds. */
const MAX_FALL = 0.6;
const MIN_ADJUST_MS = 250;
const MIN_ADJUST_REQUESTS = 5;
/** Of a short window, for which it counts at least: a window that slides opens in fits after a burst. A quota that was cut cannot wait. */
const MIN_ADJUST_WINDOWS = 0.5;
/** Requests that a measurement takes: of a quota that was cut, and otherwise. */
const REQUESTS_IN_HASTE = 20;
const REQUESTS = 35;
/** Of its length, for which it may be unsure when it began and ended. */
const MAX_UNSURE = 0.03;
/** Less than that of what was expected is measured once more. */
const SUSPICIOUS = 0.93;
/** A window shorter than this is measured twice over, milliseconds. */
const SHORT_WINDOW_MS = 5_000;
/** Requests between two 429s, at most, while the quota is in use to the full. */
const FULL_REQUESTS = 45;
/** A measurement that has taken so many windows, and so long, milliseconds, ends with what was taken by then. */
const LONGEST_WINDOWS = 6;
const LONGEST_MS = 6_000;
/** From this rate on one request that asks, and waits for its answer, leaves a part of the quota unused. */
const FAST = 25;

export interface MeasurementOptions {
  /** Where it begins to count. */
  readonly from: Opening;
  /** How fast to begin with. */
  readonly rate: number;
  /** No estimate is less. */
  readonly least: number;
  /** What the rate was believed to be; 0: nothing is known. */
  readonly expected: number;
  /** Whether a quota that was cut must be found soon. */
  readonly isUrgent: boolean;
  /** About as long as the service counts, milliseconds. */
  readonly windowMs: number;
}

/**
 * Measures a quota by using it up: from one moment in which it opens again to a later one, as many requests are taken as
 * it allows, whether the service counts by windows or by tokens. A history of bursts makes a sliding window open in
 * fits and starts, so it takes at least as long as a window.
 */
export class Measurement implements Finder {
  readonly stepRequests = 3;
  readonly #options: MeasurementOptions;
  #windowMs: number;
  #rate: number;
  #from: Opening;
  #last: Opening;
  #expected: number;
  #adjustedAt: number;
  /** Whether it begins with the next opening, since the quota was in part unused until then. */
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

  /** A fixed window refuses at its end only: once the rate has been fast enough, it takes a window to see that it is not. */
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

  /** The window's length as far as it is known from how long the quota stayed used up, milliseconds. */
  get windowMs(): number {
    return this.#windowMs;
  }

  #judge(opening: Opening, lengthMs: number): number | undefined {
    const { isUrgent } = this.#options;
    const count = opening.taken - this.#from.taken;
    // One more or less is chance; what is too high costs 429s, what is too low next to nothing.
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

  /** Where slots come later than asked, as on a machine that is too busy, the quota is never in use to the full. */
  #inTheEnd(begun: Opening, { at, taken }: Opening): number | undefined {
    const lengthMs = at - begun.at;
    if (lengthMs < Math.max(LONGEST_MS, LONGEST_WINDOWS * this.#windowMs)) return undefined;
    return (MARGIN * 1_000 * (taken - begun.taken)) / lengthMs;
  }

  #send(rate: number): void {
    this.#rate = Math.max(this.#options.least, rate);
  }
}
