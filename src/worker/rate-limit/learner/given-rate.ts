import type { Random } from "../../../kernel/retry.ts";
import type { Lane } from "../../../messages/lane.ts";
import type { Pacer } from "./pacer.ts";
import { Random429Filter } from "./random-429-filter.ts";
import { RateLearner } from "./rate-learner.ts";
import { FullRateProbe } from "./search/full-rate-probe.ts";
import type { Flight } from "./sending-order.ts";

export interface GivenRateOptions {
  /** Length of the service's window as configured by the operator, milliseconds. */
  readonly windowMs: number;
  /** Gap between requests while the key accepts the whole configured quota, milliseconds. */
  readonly minTimeMs: number;
  readonly random: Random;
  /**
   * Called when the accepted part of the configured quota changes by a tenth, or is whole again. 0: no request was
   * accepted for a while.
   */
  readonly onPart: (part: number) => void;
}

/** Within this factor of the configured quota there is nothing to gain. */
const NEAR = 1.02;
/** The whole quota counts as accepted after this time without a 429: in windows, milliseconds, and gaps. */
const CALM_WINDOWS = 2;
const CALM_MS = 1_000;
const CALM_SLOTS = 20;
/** Rest after a 429 that may be random, in gaps. A window that got a request or two too many passes meanwhile. */
const REST_SLOTS = 3;
/** A change of the configured rate by this factor means a share in place of the whole quota, or the opposite. */
const OTHER_SHARE = 1.25;
const NEWS = 0.1;
/**
 * The key counts as closed once the quota is used up for longer than this time in milliseconds. The time is at least
 * this many windows.
 */
const CLOSED_MS = 5_000;
const CLOSED_WINDOWS = 1.5;
/**
 * Longer windows count as this long: milliseconds, and gaps of the whole key. A cut, and its end, must be found in
 * minutes. A quota may be defined per hour or per day.
 */
const LONGEST_WINDOW_MS = 60_000;
const WINDOW_SLOTS = 20;

/** State while the key accepts less than the configured quota. */
interface Cut {
  learner: RateLearner;
  readonly more: FullRateProbe;
  /** When the pace was last below the configured rate, or a 429 came. */
  shortAt: number;
  takenAt: number;
}

/**
 * Sends the configured quota, and less where the key accepts less: the quota was cut, or another client uses it. Never
 * sends more. The accepted rate is then learned as without a configured quota (`RateLearner`), from the configured rate
 * downwards. Now and then the full rate is tried again (`FullRateProbe`). Random 429s at any pace are ignored (`Random429Filter`).
 * All times are milliseconds on a monotonic clock.
 */
export class GivenRate implements Pacer {
  readonly learned = undefined;
  readonly #options: GivenRateOptions;
  readonly #chance: Random429Filter;
  /** The length of the window, bounded by the longest wait. */
  readonly #windowMs: number;
  #ceilingMs: number;
  #cut: Cut | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;
  #toldPart = 1;

  constructor(options: GivenRateOptions) {
    this.#options = options;
    this.#ceilingMs = options.minTimeMs;
    this.#windowMs = Math.min(options.windowMs, Math.max(LONGEST_WINDOW_MS, WINDOW_SLOTS * options.minTimeMs));
    this.#chance = new Random429Filter(options.windowMs);
  }

  get minTimeMs(): number {
    if (this.#cut === undefined) return this.#ceilingMs / this.#chance.pace;
    const { learner, more } = this.#cut;
    return more.isOn ? this.#ceilingMs : Math.max(this.#ceilingMs, learner.minTimeMs);
  }

  get isUsedUp(): boolean {
    return this.#cut !== undefined && (this.#cut.learner.isUsedUp || this.#cut.more.isUsedUp);
  }

  /**
   * The share of the configured quota that is sent, without tries of the full rate. This is what the key accepts as far
   * as known; more than 0, at most 1.
   */
  get part(): number {
    return this.#cut === undefined ? 1 : Math.min(1, this.#ceilingMs / this.#cut.learner.minTimeMs);
  }

  /** The accepted share, as it was last measured or probed without contradiction. */
  get #learnedPart(): number {
    const perSecond = this.#cut?.learner.learned?.perSecond;
    return perSecond === undefined ? 1 : Math.min(1, (perSecond * this.#ceilingMs) / 1_000);
  }

  /**
   * Sets a new configured rate: one request per `minTimeMs` milliseconds. The key is assumed to accept the same share
   * of it.
   */
  give(minTimeMs: number): void {
    const times = this.#ceilingMs / minTimeMs;
    const part = this.#learnedPart;
    this.#ceilingMs = minTimeMs;
    if (this.#cut === undefined || (times < OTHER_SHARE && times > 1 / OTHER_SHARE)) return;
    this.#cut.learner = this.#learnerOf(part);
  }

  /** Milliseconds that the next request must wait, its pace aside. Infinity: until an answer comes. */
  waitMs(now: number, isUrgent = false): number {
    if (this.#cut === undefined) return Math.max(0, this.#restUntil - now);
    const { learner, more } = this.#cut;
    return more.isOn ? more.waitMs(now) : learner.waitMs(now, isUrgent);
  }

  sent(now: number, lane?: Lane): Flight {
    if (this.#cut === undefined) return { sentAt: now };
    const { learner, more } = this.#cut;
    return more.isOn ? more.sent(now) : learner.sent(now, lane);
  }

  /** The request got an answer that is no 429. */
  taken(flight: Flight, now: number): void {
    const cut = this.#cut;
    const cause = this.#chance.taken({ sentAt: flight.sentAt, now, isCut: cut !== undefined });
    if (cut !== undefined) this.#takenOfCut(cut, flight, now);
    else if (cause === "pace") this.#begin(now);
    this.#paced(now);
  }

  /**
   * The service failed at the request, before or after it counted the request. A used-up quota does not open for that.
   */
  failed(flight: Flight, now: number): void {
    if (this.isUsedUp) this.undecided(flight);
    else this.taken(flight, now);
  }

  /** The request was not answered, so it says nothing. */
  undecided(flight: Flight): void {
    this.#cut?.learner.undecided(flight);
    this.#cut?.more.undecided(flight);
  }

  /** The service was down, and answers again. A search or a measurement starts over. */
  restart(now: number): void {
    this.#cut?.learner.restart(now);
  }

  /**
   * The request got a 429.
   *
   * @param toldMs the wait that the 429 asks for, milliseconds; 0: none. The caller makes the wait.
   */
  refused(flight: Flight, now: number, toldMs: number): void {
    const cause = this.#chance.refused({ sentAt: flight.sentAt, now, isCut: this.#cut !== undefined }, toldMs > 0);
    if (cause === "chance") this.#cut = undefined;
    else if (cause === "pace") this.#refusedOfCut(this.#cut ?? this.#begin(now), flight, now, toldMs);
    else if (this.#cut !== undefined) this.undecided(flight);
    else if (this.#chance.share(now) === 0)
      this.#restUntil = now + Math.min(REST_SLOTS * this.#ceilingMs, this.#options.windowMs);
    this.#paced(now);
  }

  #takenOfCut(cut: Cut, flight: Flight, now: number): void {
    const { learner, more } = cut;
    cut.takenAt = now;
    if (more.isOn) {
      more.taken(flight, now);
      if (more.isOn) this.#endIfCalm(cut, more.since, now);
      return;
    }
    learner.taken(flight, now);
    if (learner.isUsedUp) return;
    if (learner.minTimeMs <= NEAR * this.#ceilingMs) this.#endIfCalm(cut, cut.shortAt, now);
    else {
      cut.shortAt = now;
      more.beginIfDue(now);
    }
  }

  #refusedOfCut(cut: Cut, flight: Flight, now: number, toldMs: number): void {
    const { learner, more } = cut;
    cut.shortAt = now;
    if (more.isOn) more.refused(flight, now, learner.minTimeMs);
    else {
      more.disturbed(now);
      learner.refused(flight, now, toldMs);
    }
    const closedMs = Math.max(CLOSED_MS, CLOSED_WINDOWS * this.#windowMs, 2 * this.minTimeMs);
    if (this.isUsedUp && now - cut.takenAt > closedMs) this.#tell(0);
  }

  #begin(now: number): Cut {
    const more = new FullRateProbe(this.#options.random, this.#windowMs, now);
    this.#cut = { learner: this.#learnerOf(1), more, shortAt: now, takenAt: now };
    return this.#cut;
  }

  #learnerOf(part: number): RateLearner {
    const learned = { perSecond: (1_000 * part) / this.#ceilingMs, burst: 0, windowMs: this.#windowMs };
    return new RateLearner(this.#options.random, learned);
  }

  #endIfCalm(cut: Cut, since: number, now: number): void {
    const calmMs = Math.max(CALM_WINDOWS * this.#windowMs, CALM_MS, CALM_SLOTS * this.#ceilingMs);
    if (cut.more.isUsedUp || now - since < calmMs) return;
    this.#cut = undefined;
    this.#chance.forget();
  }

  /** Reports a pace that may have changed. */
  #paced(now: number): void {
    this.#chance.paced(this.#ceilingMs / this.minTimeMs, now);
    const { isUsedUp } = this;
    // The rate that is sent changes several times during a measurement. A measurement takes minutes at most, unless the
    // quota is a few requests per day.
    const part = this.#learnedPart;
    const isWhole = this.#cut === undefined && this.#toldPart < 1;
    if (!isUsedUp && (isWhole || Math.abs(part - this.#toldPart) > NEWS)) this.#tell(part);
  }

  #tell(part: number): void {
    if (part === this.#toldPart) return;
    this.#toldPart = part;
    this.#options.onPart(part);
  }
}
