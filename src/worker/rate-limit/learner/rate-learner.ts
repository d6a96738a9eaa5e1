import type { Random } from "../../../kernel/random.ts";
import type { Lane } from "../../../messages/lane.ts";
import { type QuotaPatience, UsedUp } from "./exhausted-quota.ts";
import type { LearnedQuota } from "./learned-quota.ts";
import { CLOSED_MS, RatePhases } from "./rate-phases.ts";
import type { Opening } from "./search/rate-search.ts";
import { type Flight, SendingOrder } from "./sending-order.ts";

/** After a used-up quota: longer than requests take to overtake each other, milliseconds. */
const REST_MS = 30;
/** Of a window, between two requests that ask whether a used-up quota is open again, at least. */
const PING_OF_WINDOW = 0.01;
/** From this rate on one by one tells too little: the first 429s of a measurement do not stop it. */
const GRACE_FROM = 25;
const GRACE_MS = 60;

/** What became of a request. */
type Outcome = { readonly is: "taken" | "failed" } | { readonly is: "refused"; readonly toldMs: number };

/**
 * Finds how many requests a second a key bears, from which of them are taken and which get a 429, and nothing else: not
 * how the service counts. Evenly spaced requests below the quota's rate pass fixed windows, sliding ones and buckets
 * alike, so one rate is all that is sought.
 *
 * - `searching` doubles the rate until the first 429.
 * - `measuring` uses the quota up for some windows and counts what is taken (`Measurement`).
 * - `steady` sends just below that.
 * - `probing` tries more now and then, until a 429: where it comes much later than before, the quota is measured again.
 *
 * Two unexpected 429s, the second soon after the first, say that the quota is smaller: it is measured again.
 * Here is when a request may leave, and what its answer belongs to; `RatePhases` concludes from it. The first 429 stops
 * what is sent at once; all else follows from answers in the order in which their requests left (`SendingOrder`), however
 * long they take.
 * All times are milliseconds on a monotonic clock.
 */
export class RateLearner {
  readonly #random: Random;
  readonly #phases: RatePhases;
  readonly #order = new SendingOrder<Outcome>();
  #usedUp: UsedUp | undefined;
  /** Whether the service said how long to wait, this time. */
  #isTold = false;
  #toldMs = 0;
  #opening: Opening = { at: Number.NEGATIVE_INFINITY, unsureMs: 0, taken: 0 };
  /** What left before has been judged. */
  #judgedUntil = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(random: Random, learned?: LearnedQuota) {
    this.#random = random;
    this.#phases = new RatePhases(learned);
  }

  /** How far apart requests must leave, milliseconds; 0: as fast as they come. */
  get minTimeMs(): number {
    const { rate } = this.#phases;
    return Number.isFinite(rate) ? 1_000 / rate : 0;
  }

  /** Whether the quota is used up at the moment. */
  get isUsedUp(): boolean {
    return this.#usedUp !== undefined;
  }

  /** Undefined while nothing is known. */
  get learned(): LearnedQuota | undefined {
    return this.#phases.learned;
  }

  /**
   * How long the next request must wait, its pace aside, milliseconds; Infinity: until an answer comes.
   *
   * @param isUrgent whether it is for a deposit, which asks sooner and takes no rest: one does no harm.
   */
  waitMs(now: number, isUrgent = false): number {
    if (this.#usedUp !== undefined) return this.#usedUp.waitMs(now, isUrgent);
    return isUrgent ? 0 : Math.max(0, this.#restUntil - now);
  }

  /** A request leaves for `lane`. */
  sent(now: number, lane: Lane = "backfill"): Flight {
    const flight = { sentAt: now };
    this.#order.sent(flight);
    this.#usedUp?.sent(flight);
    this.#phases.sent(now, this.#taken, lane);
    return flight;
  }

  /** It was answered, and with no 429. */
  taken(flight: Flight, now: number): void {
    this.#usedUp?.taken(flight, now);
    this.#answered(flight, { is: "taken" }, now);
  }

  /**
   * The service failed at it, before it counted or after: it was sent like what is taken, but a quota that is used up is
   * not open again for that.
   */
  failed(flight: Flight, now: number): void {
    this.#usedUp?.undecided(flight);
    this.#answered(flight, { is: "failed" }, now);
  }

  /** It was not answered, so it says nothing. */
  undecided(flight: Flight): void {
    this.#usedUp?.undecided(flight);
    this.#order.lost(flight);
  }

  /**
   * The service was down, and answers again. A rate that is known stays; one that is being looked for is looked for anew:
   * the few requests that were taken in all that time are a hundredth of the quota, and the way back takes minutes.
   */
  restart(now: number): void {
    if (this.#phases.is === "steady") return;
    this.#usedUp = undefined;
    this.#phases.restart(now);
  }

  /** It got a 429, which asked for a wait of `toldMs` milliseconds; 0: it did not say. The caller sees to that wait. */
  refused(flight: Flight, now: number, toldMs: number): void {
    // The sooner it is known the better; what follows from it is seen when all is known that left before.
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

  /** The quota is used up, if that is news. */
  #close(flight: Flight, now: number, toldMs: number): void {
    if (this.#usedUp !== undefined || flight.sentAt < this.#judgedUntil) return;
    this.#isTold = false;
    this.#toldMs = 0;
    this.#told(toldMs);
    this.#usedUp = new UsedUp(flight, now, this.#patience(toldMs), this.#random);
  }

  #told(toldMs: number): void {
    this.#isTold ||= toldMs > 0;
    this.#toldMs = Math.max(this.#toldMs, toldMs);
  }

  #patience(toldMs: number): QuotaPatience {
    const { is, base, rate, windowMs } = this.#phases;
    const slotMs = 1_000 / base;
    // Of a long window nobody needs to know the moment.
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

  #opened(usedUp: UsedUp, at: number, now: number): void {
    const before = this.#opening;
    const unsureMs = this.#isTold ? 0 : at - usedUp.lastRefusedAt;
    // The one that was taken belongs to what comes after.
    const opening = { at: at - unsureMs / 2, unsureMs, taken: this.#taken - 1 };
    this.#opening = opening;
    this.#usedUp = undefined;
    this.#phases.opened({ usedUp, opening, before, at, now, taken: this.#taken, isTold: this.#isTold });
    const isSteady = this.#phases.is === "steady";
    this.#judgedUntil = isSteady ? now : at;
    if (isSteady) this.#restUntil = now + REST_MS;
  }
}
