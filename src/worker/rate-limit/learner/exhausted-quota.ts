import type { Random } from "../../../kernel/random.ts";
import type { Flight } from "./sending-order.ts";

/** How often a quota that is used up is asked whether it is open again. */
export interface QuotaPatience {
  /** The first wait, milliseconds; waits grow with how long it stays used up. */
  readonly firstMs: number;
  /** Whether waits double as well: who does not measure has no need to know the moment. */
  readonly doubles: boolean;
  /** From one that asks to the next where answers are slow, or a deposit waits, at least, milliseconds. */
  readonly slowMs: number;
  /** For so long after the first 429 requests go on: at a fast pace that tells sooner than asking one by one, milliseconds. */
  readonly graceMs: number;
  /** What is taken opens it when it left so long after all that were refused, milliseconds; Infinity: only who asks does. */
  readonly overtakeMs: number;
}

/** Of the time that it has been used up: so much later, at most, is it found open. */
const LATER_SHARE = 0.1;
const LONGEST_MS = 60_000;
const MAX_DOUBLINGS = 4;
/** An answer that takes longer is slow: the next one asks meanwhile, milliseconds. */
export const SLOW_MS = 75;
/** For so long, as far as is known, the next one asks meanwhile: a service that is closed for longer is not to be hammered. */
const SEVERAL_MS = 1_500;
/** Who asks and has no answer for so long is not followed by another. */
const SILENT_MS = 3_000;
/** The share where answers are slow and the next one asks meanwhile. */
const SLOW_LATER_SHARE = 0.25;
/** Requests that ask, on their way, with one for a deposit. */
const MOST_URGENT = 2;

/**
 * A time in which a key's quota is used up: one request at a time asks whether it is open again, and everything else
 * waits for its answer, so that nobody runs into a closed door together. Where answers are slow, one leaves after the other
 * for a while, since what a second allows is not to be lost by waiting for one answer.
 * A deposit that waits asks sooner, and beside one that asks: a 429 costs it nothing, since it would have to wait anyway.
 */
export class UsedUp {
  readonly #patience: QuotaPatience;
  readonly #random: Random;
  readonly #graceUntil: number;
  /** What leaves from here on asks. */
  readonly #knownAt: number;
  /** Those that ask, as they left. */
  readonly #asking = new Set<Flight>();
  #isSlow = false;
  #nextAt = 0;
  /** When a deposit may ask. */
  #urgentAt = 0;
  #asked = 0;
  /** When the last one left that is known to be refused. */
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

  /** When the first refused request left. */
  get begunAt(): number {
    return this.#begunAt;
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** When the last refused request left: it was open again at some time after that. */
  get lastRefusedAt(): number {
    return this.#lastRefusedAt;
  }

  /**
   * How long the next request must wait, milliseconds; Infinity: until the one that asks is back.
   *
   * @param isUrgent whether it is for a deposit.
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

  /** It was given up, or lost: the next one may ask. */
  undecided(flight: Flight): void {
    if (this.#asking.delete(flight) && this.#asking.size === 0) this.#nextAt = Number.NEGATIVE_INFINITY;
  }

  /** It was taken, which may not be its turn to say. */
  taken(flight: Flight, now: number): void {
    this.#heard(flight, now);
    this.undecided(flight);
  }

  /** It got a 429. What was on its way when the first one came back says nothing new of when to ask. */
  refused(flight: Flight, now: number): void {
    this.#heard(flight, now);
    this.#heardOf = Math.max(this.#heardOf, flight.sentAt);
    if (!this.#asking.delete(flight)) return;
    if (this.#asking.size === 0) this.#appoint(now, now);
    this.#asked++;
  }

  /** That it got a 429 counts now, after all that left before. */
  judged(flight: Flight): void {
    if (this.#refusals === 0) this.#begunAt = flight.sentAt;
    this.#refusals++;
    this.#lastRefusedAt = Math.max(this.#lastRefusedAt, flight.sentAt);
  }

  /** Whether the quota is open again, since `flight` was taken. */
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

  /** Whether one may ask before the one before is back. */
  get #mayOverlap(): boolean {
    return this.#heardOf - this.#begunAt <= SEVERAL_MS;
  }

  /** Who asks next does so some time after `since`. @param until when it was used up still. */
  #appoint(since: number, until: number): void {
    const { firstMs, doubles, slowMs } = this.#patience;
    const isDense = this.#isSlow && this.#mayOverlap;
    const step = doubles ? firstMs * 2 ** Math.min(this.#asked, MAX_DOUBLINGS) : firstMs;
    const later = (isDense ? SLOW_LATER_SHARE : LATER_SHARE) * (until - this.#begunAt);
    // Several processes must not ask at the same moment.
    const jitter = 0.75 + this.#random() / 2;
    const afterMs = (leastMs: number) => Math.min(LONGEST_MS, Math.max(leastMs, later)) * jitter;
    this.#nextAt = since + afterMs(isDense ? slowMs : step);
    this.#urgentAt = since + afterMs(slowMs);
  }
}
