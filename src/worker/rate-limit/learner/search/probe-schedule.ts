import { RECENT_MS } from "../../queue/realtime-reserve.ts";

/** Of the 429s of probes in all requests. */
const PROBE_SHARE = 0.0085;
/** 429s that a probe draws, before one has. */
const FIRST_COST = 2;
const LEAST_MS = 4_000;
/**
 * Requests before the first probe after a change, which may soon be taken back; and for each 429 that the next ones draw so
 * many times as many. Chosen by simulation: 10 a second are probed for a minute more often than for good.
 */
const SOON_REQUESTS = 25;
const SELDOMER = 1.15;
const STEADY_SPENT = 100;
/**
 * After a pause that the service asked for, which costs more than a 429: so many times as long; twice as long after each
 * probe that found nothing new, up to the last. Chosen by simulation: a second in two minutes is 0.8 % of a quota, and one
 * that doubled is found a minute late on average.
 */
const ALONE = { requests: 1, firstTimes: 30, mostTimes: 120 } as const;
/**
 * While deposits come, which wait while the quota is used up, as a backfill need not mind: so many times as many requests,
 * and times as long. Chosen by simulation (bench/quota/learned-lanes.ts): a second in two minutes is nearly all of the
 * one in a hundred that may wait for more than two slots; in three it is 0.6 %.
 */
const BESIDE_DEPOSITS = { requests: 1.5, firstTimes: 120, mostTimes: 180 } as const;
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
  /** 429s that probes have drawn since the last change. */
  #spent: number;
  /** Probes since then. */
  #probes = 0;
  #depositAt = Number.NEGATIVE_INFINITY;

  constructor(isVerified: boolean) {
    this.isVerified = isVerified;
    this.#spent = isVerified ? STEADY_SPENT : 0;
  }

  /** The quota is another, or may be. */
  changed(): void {
    this.#spent = 0;
    this.#probes = 0;
  }

  begin(now: number): void {
    this.#since = now;
    this.#taken = 0;
  }

  /** A request leaves for a deposit. */
  deposit(now: number): void {
    this.#depositAt = now;
  }

  /** @param sentAt when it left: what left before does not count. */
  taken(sentAt: number): void {
    if (sentAt >= this.#since) this.#taken++;
  }

  /** A probe has drawn so many 429s. */
  probed(refusals: number): void {
    this.#cost += (refusals - this.#cost) / 4;
    this.#spent += refusals;
    this.#probes++;
  }

  /** One more that a probe has drawn, known after it was over. */
  echoed(): void {
    this.#cost += 1 / 4;
    this.#spent++;
  }

  /** @param toldMs how long the service said to wait after the last 429; 0: it did not say. */
  isOver(now: number, windowMs: number, toldMs: number): boolean {
    const how = now - this.#depositAt > RECENT_MS ? ALONE : BESIDE_DEPOSITS;
    const seldom = how.requests * Math.min(this.#cost / PROBE_SHARE, SOON_REQUESTS * SELDOMER ** this.#spent);
    const requests = this.isVerified ? seldom : UNVERIFIED_REQUESTS;
    const times = Math.min(how.mostTimes, how.firstTimes * 2 ** this.#probes);
    const leastMs = this.isVerified ? Math.max(LEAST_MS, times * toldMs) : UNVERIFIED_MS;
    return this.#taken >= requests && now - this.#since >= Math.max(leastMs, windowMs / 2);
  }
}
