import type { Random } from "../../../kernel/retry.ts";
import type { Lane } from "../../../messages/lane.ts";
import { ExhaustedQuota, type QuotaPatience } from "./exhausted-quota.ts";
import type { LearnedQuota } from "./learned-quota.ts";
import { CLOSED_MS, RatePhases } from "./rate-phases.ts";
import type { Opening } from "./search/rate-search.ts";
import { type Flight, SendingOrder } from "./sending-order.ts";

/** Rest after a used-up quota, milliseconds. Longer than the time by which requests overtake each other. */
const REST_MS = 30;
/** Shortest time between two probes of a used-up quota, as a share of the window. */
const PING_OF_WINDOW = 0.01;
/** From this rate on, probes one by one are too slow. The first 429s of a measurement do not stop it then. */
const GRACE_FROM = 25;
const GRACE_MS = 60;

/** The outcome of a request. */
type Outcome = { readonly is: "taken" | "failed" } | { readonly is: "refused"; readonly toldMs: number };

/**
 * Learns how many requests per second a key accepts, from the requests that are accepted or get a 429. It does not
 * learn how the service counts. Evenly spaced requests below the quota's rate pass fixed windows, sliding windows and
 * token buckets alike. One rate is therefore all that is learned.
 *
 * - `searching` doubles the rate until the first 429.
 * - `measuring` uses up the quota for some windows, and counts the accepted requests (`Measurement`).
 * - `steady` sends just below the measured rate.
 * - `probing` tries a higher rate now and then, until a 429. If the 429 comes much later than before, the quota is
 *   measured again.
 *
 * Two unexpected 429s, the second soon after the first, mean that the quota is smaller. The quota is then measured
 * again.
 *
 * This class decides when a request may leave, and which period its answer belongs to. `RatePhases` draws the
 * conclusions. The first 429 stops the requests at once. All other conclusions follow the order in which requests were
 * sent (`SendingOrder`), however long their answers take. All times are milliseconds on a monotonic clock.
 */
export class RateLearner {
  readonly #random: Random;
  readonly #phases: RatePhases;
  readonly #order = new SendingOrder<Outcome>();
  #usedUp: ExhaustedQuota | undefined;
  /** Whether the service said how long to wait while the quota was used up this time. */
  #isTold = false;
  #toldMs = 0;
  #opening: Opening = { at: Number.NEGATIVE_INFINITY, unsureMs: 0, taken: 0 };
  /** Requests that were sent before this time have been judged. */
  #judgedUntil = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(random: Random, learned?: LearnedQuota) {
    this.#random = random;
    this.#phases = new RatePhases(learned);
  }

  /** Gap between requests, milliseconds. 0: no gap. */
  get minTimeMs(): number {
    const { rate } = this.#phases;
    return Number.isFinite(rate) ? 1_000 / rate : 0;
  }

  /** Whether the quota is used up at the moment. */
  get isUsedUp(): boolean {
    return this.#usedUp !== undefined;
  }

  /** Undefined while the quota is unknown. */
  get learned(): LearnedQuota | undefined {
    return this.#phases.learned;
  }

  /**
   * Milliseconds that the next request must wait, its pace aside. Infinity: until an answer comes.
   *
   * @param isUrgent whether the request is for a realtime event. Such a request probes sooner and skips the rest. One
   *   request does no harm.
   */
  waitMs(now: number, isUrgent = false): number {
    if (this.#usedUp !== undefined) return this.#usedUp.waitMs(now, isUrgent);
    return isUrgent ? 0 : Math.max(0, this.#restUntil - now);
  }

  /** A request of `lane` is sent. */
  sent(now: number, lane: Lane = "backfill"): Flight {
    const flight = { sentAt: now };
    this.#order.sent(flight);
    this.#usedUp?.sent(flight);
    this.#phases.sent(now, this.#taken, lane);
    return flight;
  }

  /** The request got an answer that is no 429. */
  taken(flight: Flight, now: number): void {
    this.#usedUp?.taken(flight, now);
    this.#answered(flight, { is: "taken" }, now);
  }

  /**
   * The service failed at the request, before or after it counted the request. The request counts as sent. A used-up
   * quota does not open for that.
   */
  failed(flight: Flight, now: number): void {
    this.#usedUp?.undecided(flight);
    this.#answered(flight, { is: "failed" }, now);
  }

  /** The request was not answered, so it says nothing. */
  undecided(flight: Flight): void {
    this.#usedUp?.undecided(flight);
    this.#order.lost(flight);
  }

  /**
   * The service was down, and answers again. A known rate stays. A search or a measurement starts over: the few
   * requests that were accepted meanwhile are a hundredth of the quota. The way back from such a rate takes minutes.
   */
  restart(now: number): void {
    if (this.#phases.is === "steady") return;
    this.#usedUp = undefined;
    this.#phases.restart(now);
  }

  /**
   * The request got a 429.
   *
   * @param toldMs the wait that the 429 asks for, milliseconds; 0: none. The caller makes the wait.
   */
  refused(flight: Flight, now: number, toldMs: number): void {
    // A 429 takes effect at once. Its conclusions wait until all earlier requests are judged.
    if (this.#usedUp === undefined) this.#close(flight, now, toldMs);
    else this.#usedUp.refused(flight, now);
    if (this.#usedUp !== undefined) this.#told(toldMs);
    this.#answered(flight, { is: "refused", toldMs }, now);
  }

  #answered(flight: Flight, outcome: Outcome, now: number): void {
    for (const [each, what] of this.#order.answered(flight, outcome, now)) this.#judge(each, what, now);
  }

  #judge(flight: Flight, outcome: Outcome, now: number): void {
    this.#phases.judged(flight.sentAt);
    if (outcome.is === "refused") {
      this.#close(flight, now, outcome.toldMs);
      if (flight.sentAt >= this.#judgedUntil) this.#usedUp?.judged(flight);
      else this.#phases.echoed();
      return;
    }
    if (this.#usedUp !== undefined && outcome.is === "failed") return;
    this.#taken++;
    this.#phases.taken(flight.sentAt);
    if (this.#usedUp === undefined) this.#phases.advance(flight.sentAt, now, this.#toldMs);
    else if (this.#usedUp.isOpenedBy(flight)) this.#opened(this.#usedUp, flight.sentAt, now);
  }

  /** Marks the quota as used up, unless it is already. */
  #close(flight: Flight, now: number, toldMs: number): void {
    if (this.#usedUp !== undefined || flight.sentAt < this.#judgedUntil) return;
    this.#isTold = false;
    this.#toldMs = 0;
    this.#told(toldMs);
    this.#usedUp = new ExhaustedQuota(flight, now, this.#patience(toldMs), this.#random);
  }

  #told(toldMs: number): void {
    this.#isTold ||= toldMs > 0;
    this.#toldMs = Math.max(this.#toldMs, toldMs);
  }

  #patience(toldMs: number): QuotaPatience {
    const { is, base, rate, windowMs } = this.#phases;
    const slotMs = 1_000 / base;
    // The exact time of an opening does not matter for a long window.
    const leastMs = Math.max(5, PING_OF_WINDOW * windowMs);
    const overtakeMs = toldMs > 0 ? Number.POSITIVE_INFINITY : REST_MS;
    if (is === "steady" || is === "probing") {
      const firstMs = Math.max(leastMs, slotMs > 50 ? 2.5 * slotMs : slotMs);
      return { firstMs, doubles: true, slowMs: Math.max(leastMs, slotMs), graceMs: 0, overtakeMs };
    }
    const firstMs = Math.max(leastMs, Math.min(CLOSED_MS, slotMs / 2));
    const isFast = is === "measuring" && rate > GRACE_FROM && toldMs === 0;
    const how = isFast ? { graceMs: GRACE_MS, overtakeMs: 0 } : { graceMs: 0, overtakeMs };
    return { firstMs, doubles: false, slowMs: firstMs, ...how };
  }

  #opened(usedUp: ExhaustedQuota, at: number, now: number): void {
    const before = this.#opening;
    const unsureMs = this.#isTold ? 0 : at - usedUp.lastRefusedAt;
    // The accepted request belongs to the time after the opening.
    const opening = { at: at - unsureMs / 2, unsureMs, taken: this.#taken - 1 };
    this.#opening = opening;
    this.#usedUp = undefined;
    this.#phases.opened({ usedUp, opening, before, at, now, taken: this.#taken, isTold: this.#isTold });
    const isSteady = this.#phases.is === "steady";
    this.#judgedUntil = isSteady ? now : at;
    if (isSteady) this.#restUntil = now + REST_MS;
  }
}
