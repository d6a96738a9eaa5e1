/** Of the 429s of probes in all requests. */
const PROBE_SHARE = 0.0085;
/** 429s that a probe draws, before one has. */
const FIRST_COST = 2;
const LEAST_MS = 5_000;
/** Requests before the first probe after a change, which may soon be taken back; and twice as many before each next one. */
const SOON_REQUESTS = 40;
const STEADY_FAILURES = 10;
/** After a pause that the service asked for, which costs more than a 429: so many times as long. */
const TOLD_TIMES = 30;
/** A rate that was just measured is tried soon. */
const UNVERIFIED_REQUESTS = 20;
const UNVERIFIED_MS = 1_000;

/** The time between two probes: the more 429s they draw, the longer. Times are milliseconds on a monotonic clock. */
export class Quiet {
  /** Whether a probe has found the rate right since it was measured. */
  isVerified: boolean;
  #since = 0;
  #taken = 0;
  #cost = FIRST_COST;
  /** Probes that found nothing new since the last change. */
  #failures: number;

  constructor(isVerified: boolean) {
    this.isVerified = isVerified;
    this.#failures = isVerified ? STEADY_FAILURES : 0;
  }

  /** The quota is another, or may be. */
  changed(): void {
    this.#failures = 0;
  }

  begin(now: number): void {
    this.#since = now;
    this.#taken = 0;
  }

  taken(): void {
    this.#taken++;
  }

  /** A probe has drawn so many 429s. */
  probed(refusals: number): void {
    this.#cost += (refusals - this.#cost) / 4;
    this.#failures++;
  }

  /** @param toldMs how long the service said to wait after the last 429; 0: it did not say. */
  isOver(now: number, windowMs: number, toldMs: number): boolean {
    const seldom = Math.min(this.#cost / PROBE_SHARE, SOON_REQUESTS * 2 ** this.#failures);
    const requests = this.isVerified ? seldom : UNVERIFIED_REQUESTS;
    const leastMs = this.isVerified ? Math.max(LEAST_MS, TOLD_TIMES * toldMs) : UNVERIFIED_MS;
    return this.#taken >= requests && now - this.#since >= Math.max(leastMs, windowMs / 2);
  }
}
