import { RECENT_MS } from "../../queue/connection-reserve.ts";

/** Share of all requests that may get 429s because of probes. */
const PROBE_SHARE = 0.0085;
/** Assumed number of 429s of a probe, before the first one. */
const FIRST_COST = 2;
const LEAST_MS = 4_000;
/**
 * Requests before the first probe after a change, since the change may soon be reverted. Each 429 of a later probe
 * multiplies the number by SELDOMER. Chosen by simulation: 10 per second are probed more often for a minute than later.
 */
const SOON_REQUESTS = 25;
const SELDOMER = 1.15;
const STEADY_SPENT = 100;
/**
 * Time to the next probe, as a multiple of the pause that the service asked for. Such a pause costs more than a 429.
 * The multiple doubles after each probe that found nothing new, up to `mostTimes`. Chosen by simulation: one second in
 * two minutes is 0.8 % of a quota. A quota that doubled is found a minute late on average.
 */
const ALONE = { requests: 1, firstTimes: 30, mostTimes: 120 } as const;
/**
 * The schedule while realtime events come, as factors of requests and of time. Realtime events have to wait while the
 * quota is used up, and backfill does not mind. Chosen by simulation (bench/quota/learned-lanes.ts): 1 % of the events
 * may wait for more than two permits. A pause of one second in two minutes uses nearly all of that 1 %. In three
 * minutes it is 0.6 %.
 */
const BESIDE_DEPOSITS = { requests: 1.5, firstTimes: 120, mostTimes: 180 } as const;
/** A rate that was just measured is probed soon. */
const UNVERIFIED_REQUESTS = 20;
const UNVERIFIED_MS = 1_000;

/** The time between two probes. More 429s of probes make it longer. Times are milliseconds on a monotonic clock. */
export class ProbeSchedule {
  /** Whether a probe has confirmed the rate since it was measured. */
  isVerified: boolean;
  #since = 0;
  #taken = 0;
  #cost = FIRST_COST;
  /** 429s of probes since the last change. */
  #spent: number;
  /** Number of probes since the last change. */
  #probes = 0;
  #depositAt = Number.NEGATIVE_INFINITY;

  constructor(isVerified: boolean) {
    this.isVerified = isVerified;
    this.#spent = isVerified ? STEADY_SPENT : 0;
  }

  /** The quota has changed, or may have changed. */
  changed(): void {
    this.#spent = 0;
    this.#probes = 0;
  }

  begin(now: number): void {
    this.#since = now;
    this.#taken = 0;
  }

  /** A request of a realtime event is sent. */
  deposit(now: number): void {
    this.#depositAt = now;
  }

  /** @param sentAt when the request was sent. Requests from before the current period do not count. */
  taken(sentAt: number): void {
    if (sentAt >= this.#since) this.#taken++;
  }

  /** A probe has drawn this many 429s. */
  probed(refusals: number): void {
    this.#cost += (refusals - this.#cost) / 4;
    this.#spent += refusals;
    this.#probes++;
  }

  /** A further 429 of a probe, reported after the probe ended. */
  echoed(): void {
    this.#cost += 1 / 4;
    this.#spent++;
  }

  /** @param toldMs how long the last 429 asked to wait, milliseconds; 0: it did not say. */
  isOver(now: number, windowMs: number, toldMs: number): boolean {
    const how = now - this.#depositAt > RECENT_MS ? ALONE : BESIDE_DEPOSITS;
    const seldom = how.requests * Math.min(this.#cost / PROBE_SHARE, SOON_REQUESTS * SELDOMER ** this.#spent);
    const requests = this.isVerified ? seldom : UNVERIFIED_REQUESTS;
    const times = Math.min(how.mostTimes, how.firstTimes * 2 ** this.#probes);
    const leastMs = this.isVerified ? Math.max(LEAST_MS, times * toldMs) : UNVERIFIED_MS;
    return this.#taken >= requests && now - this.#since >= Math.max(leastMs, windowMs / 2);
  }
}
