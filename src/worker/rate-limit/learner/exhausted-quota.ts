import type { Random } from "../../../kernel/retry.ts";
import type { Flight } from "./sending-order.ts";

/** How often requests probe whether a used-up quota is open again. */
export interface QuotaPatience {
  /** The first wait, milliseconds. Waits grow with the time for which the quota is used up. */
  readonly firstMs: number;
  /** Whether waits double as well. Outside a measurement the exact time of the opening does not matter. */
  readonly doubles: boolean;
  /** Shortest time between probes where answers are slow or a realtime event waits, milliseconds. */
  readonly slowMs: number;
  /**
   * How long requests go on after the first 429, milliseconds. At a fast pace, running requests find the opening sooner
   * than probes one by one.
   */
  readonly graceMs: number;
  /**
   * An accepted request opens the quota if it was sent this long after all refused requests, milliseconds. Infinity:
   * only a probe opens it.
   */
  readonly overtakeMs: number;
}

/** The opening is found late by at most this share of the time for which the quota was used up. */
const LATER_SHARE = 0.1;
const LONGEST_MS = 60_000;
const MAX_DOUBLINGS = 4;
/** An answer that takes longer is slow, and the next probe does not wait for it. Milliseconds. */
export const SLOW_MS = 75;
/**
 * Probes overlap only while the quota is known to be used up for no longer than this, milliseconds. A service that is
 * closed for longer must not be hammered.
 */
const SEVERAL_MS = 1_500;
/** After a probe without an answer for this long, no further probe is sent. Milliseconds. */
const SILENT_MS = 3_000;
/** The delay share where answers are slow and probes overlap. */
const SLOW_LATER_SHARE = 0.25;
/** Probes in flight at once, if one of the probes is for a realtime event. */
const MOST_URGENT = 2;

/**
 * A period in which a key's quota is used up. One request at a time probes whether the quota is open again. All other
 * requests wait for its answer, so that they do not draw 429s together. Where answers are slow, probes overlap for a
 * while. Otherwise the wait for one answer would waste the quota of that time.
 *
 * A waiting realtime event probes sooner, and beside a running probe. A 429 costs the event nothing, since it has to
 * wait in any case.
 */
export class ExhaustedQuota {
  readonly #patience: QuotaPatience;
  readonly #random: Random;
  readonly #graceUntil: number;
  /** Requests that are sent from this time on are probes. Milliseconds. */
  readonly #knownAt: number;
  /** The probes in flight, in the order in which they were sent. */
  readonly #asking = new Set<Flight>();
  #isSlow = false;
  #nextAt = 0;
  /** When a request of a realtime event may probe. */
  #urgentAt = 0;
  #asked = 0;
  /** When the latest request that is known to be refused was sent. */
  #heardOf: number;
  #refusals = 0;
  #begunAt: number;
  #lastRefusedAt: number;

  /** @param now when the first 429 came back. */
  constructor(first: Flight, now: number, patience: QuotaPatience, random: Random) {
    this.#begunAt = first.sentAt;
    this.#lastRefusedAt = first.sentAt;
    this.#heardOf = first.sentAt;
    this.#knownAt = now;
    this.#patience = patience;
    this.#random = random;
    this.#graceUntil = patience.graceMs > 0 ? now + patience.graceMs : Number.NEGATIVE_INFINITY;
    this.#heard(first, now);
    this.#appoint(now, now);
    this.#asked++;
  }

  /** When the first refused request was sent. */
  get begunAt(): number {
    return this.#begunAt;
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** When the last refused request was sent. The quota opened at some time after that. */
  get lastRefusedAt(): number {
    return this.#lastRefusedAt;
  }

  /**
   * Milliseconds that the next request must wait. Infinity: until the probe in flight is answered.
   *
   * @param isUrgent whether the request is for a realtime event.
   */
  waitMs(now: number, isUrgent = false): number {
    if (now < this.#graceUntil) return 0;
    const usualMs = this.#usualMs(now);
    const mayAsk = this.#asking.size === 0 || (this.#asking.size < MOST_URGENT && this.#mayOverlap);
    return isUrgent && mayAsk ? Math.min(usualMs, Math.max(0, this.#urgentAt - now)) : usualMs;
  }

  #usualMs(now: number): number {
    const [oldest] = this.#asking;
    if (oldest === undefined) return Math.max(0, this.#nextAt - now);
    if (!this.#mayOverlap || now - oldest.sentAt > SILENT_MS) return Number.POSITIVE_INFINITY;
    const at = this.#isSlow ? this.#nextAt : Math.max(this.#nextAt, oldest.sentAt + SLOW_MS);
    return Math.max(0, at - now);
  }

  sent(flight: Flight): void {
    if (flight.sentAt < this.#graceUntil) return;
    this.#asking.add(flight);
    this.#appoint(flight.sentAt, this.#heardOf);
  }

  /** The request was given up, or lost. The next probe may be sent. */
  undecided(flight: Flight): void {
    if (this.#asking.delete(flight) && this.#asking.size === 0) this.#nextAt = Number.NEGATIVE_INFINITY;
  }

  /** The request was accepted. The quota may still count as used up (`isOpenedBy`). */
  taken(flight: Flight, now: number): void {
    this.#heard(flight, now);
    this.undecided(flight);
  }

  /** The request got a 429. Requests that were in flight at the first 429 say nothing new about when to probe. */
  refused(flight: Flight, now: number): void {
    this.#heard(flight, now);
    this.#heardOf = Math.max(this.#heardOf, flight.sentAt);
    if (!this.#asking.delete(flight)) return;
    if (this.#asking.size === 0) this.#appoint(now, now);
    this.#asked++;
  }

  /** Counts the 429 of `flight`, once all earlier requests are judged. */
  judged(flight: Flight): void {
    if (this.#refusals === 0) this.#begunAt = flight.sentAt;
    this.#refusals++;
    this.#lastRefusedAt = Math.max(this.#lastRefusedAt, flight.sentAt);
  }

  /** Whether the accepted request `flight` shows that the quota is open again. */
  isOpenedBy(flight: Flight): boolean {
    if (this.#refusals === 0 || flight.sentAt < this.#lastRefusedAt) return false;
    return (
      flight.sentAt >= this.#knownAt ||
      ((this.#isSlow || this.#patience.graceMs > 0) && flight.sentAt > this.#lastRefusedAt + this.#patience.overtakeMs)
    );
  }

  #heard({ sentAt }: Flight, now: number): void {
    if (now - sentAt > SLOW_MS) this.#isSlow = true;
  }

  /** Whether a probe may be sent while another one is in flight. */
  get #mayOverlap(): boolean {
    return this.#heardOf - this.#begunAt <= SEVERAL_MS;
  }

  /** Sets the time of the next probe, counted from `since`. @param until when the quota was still used up. */
  #appoint(since: number, until: number): void {
    const { firstMs, doubles, slowMs } = this.#patience;
    const isDense = this.#isSlow && this.#mayOverlap;
    const step = doubles ? firstMs * 2 ** Math.min(this.#asked, MAX_DOUBLINGS) : firstMs;
    const later = (isDense ? SLOW_LATER_SHARE : LATER_SHARE) * (until - this.#begunAt);
    // Several processes must not probe at the same moment.
    const jitter = 0.75 + this.#random() / 2;
    const afterMs = (leastMs: number) => Math.min(LONGEST_MS, Math.max(leastMs, later)) * jitter;
    this.#nextAt = since + afterMs(isDense ? slowMs : step);
    this.#urgentAt = since + afterMs(slowMs);
  }
}
