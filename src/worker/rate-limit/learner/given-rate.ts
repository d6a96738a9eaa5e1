import type { Random } from "../../../kernel/random.ts";
import type { Lane } from "../../../messages/lane.ts";
import type { Pacer } from "./pacer.ts";
import { Chance } from "./random-429-filter.ts";
import { RateLearner } from "./rate-learner.ts";
import { CeilingTry } from "./search/full-rate-probe.ts";
import type { Flight } from "./sending-order.ts";

export interface GivenRateOptions {
  /** As long as the service counts, as its owner said, milliseconds. */
  readonly windowMs: number;
  /** How far apart requests come where the key bears all, milliseconds. */
  readonly minTimeMs: number;
  readonly random: Random;
  /**
   * Told when the part of what was given that the key bears is another by a tenth, or all again. 0: nothing was taken for
   * a while.
   */
  readonly onPart: (part: number) => void;
}

/** So near to what was given there is nothing to be had. */
const NEAR = 1.02;
/** Without a 429 for so long all of it is borne: windows, milliseconds, and slots. */
const CALM_WINDOWS = 2;
const CALM_MS = 1_000;
const CALM_SLOTS = 20;
/** After a 429 that may be chance: a window that came too full by a request or two is let go by. */
const REST_SLOTS = 3;
/** What is given has become so many times as much, or as little: a share in place of the whole, or the other way round. */
const OTHER_SHARE = 1.25;
const NEWS = 0.1;
/** Used up for longer than this, milliseconds, and than the longest a window keeps it so, nothing is borne. */
const CLOSED_MS = 5_000;
const CLOSED_WINDOWS = 1.5;
/**
 * Longer windows, milliseconds, and than so many slots of the whole key, are not waited for: a cut, and its end, are to be found
 * in minutes, not in as many hours or days as a quota is said to be counted by.
 */
const LONGEST_WINDOW_MS = 60_000;
const WINDOW_SLOTS = 20;

/** The key bears less than was given. */
interface Cut {
  learner: RateLearner;
  readonly more: CeilingTry;
  /** When it was last slower than what was given, or had a 429. */
  shortAt: number;
  takenAt: number;
}

/**
 * Sends what was given, and less where the key bears less: its quota was cut, or somebody else uses it. Never more. What is
 * borne then is learned as where nothing is given (`RateLearner`), from what was given downwards; whether all is borne
 * again is tried now and then (`CeilingTry`). 429s that come by chance, whatever the pace, are let go (`Chance`).
 * All times are milliseconds on a monotonic clock.
 */
export class GivenRate implements Pacer {
  readonly learned = undefined;
  readonly #options: GivenRateOptions;
  readonly #chance: Chance;
  /** As far as it is waited for. */
  readonly #windowMs: number;
  #ceilingMs: number;
  #cut: Cut | undefined;
  #restUntil = Number.NEGATIVE_INFINITY;
  #toldPart = 1;

  constructor(options: GivenRateOptions) {
    this.#options = options;
    this.#ceilingMs = options.minTimeMs;
    this.#windowMs = Math.min(options.windowMs, Math.max(LONGEST_WINDOW_MS, WINDOW_SLOTS * options.minTimeMs));
    this.#chance = new Chance(options.windowMs);
  }

  get minTimeMs(): number {
    if (this.#cut === undefined) return this.#ceilingMs / this.#chance.pace;
    const { learner, more } = this.#cut;
    return more.isOn ? this.#ceilingMs : Math.max(this.#ceilingMs, learner.minTimeMs);
  }

  get isUsedUp(): boolean {
    return this.#cut !== undefined && (this.#cut.learner.isUsedUp || this.#cut.more.isUsedUp);
  }

  /** What is sent of what is given, but for tries of all of it: as much as the key bears, as far as is known; more than 0, at most 1. */
  get part(): number {
    return this.#cut === undefined ? 1 : Math.min(1, this.#ceilingMs / this.#cut.learner.minTimeMs);
  }

  /** The same as it was measured last, or tried without a surprise. */
  get #learnedPart(): number {
    const perSecond = this.#cut?.learner.learned?.perSecond;
    return perSecond === undefined ? 1 : Math.min(1, (perSecond * this.#ceilingMs) / 1_000);
  }

  /** From now on something else is given: requests this far apart, milliseconds. Of that the key bears the same part. */
  give(minTimeMs: number): void {
    const times = this.#ceilingMs / minTimeMs;
    const part = this.#learnedPart;
    this.#ceilingMs = minTimeMs;
    if (this.#cut === undefined || (times < OTHER_SHARE && times > 1 / OTHER_SHARE)) return;
    this.#cut.learner = this.#learnerOf(part);
  }

  /** As of the learner. */
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

  /** It was answered with something else than a 429. */
  taken(flight: Flight, now: number): void {
    const cut = this.#cut;
    const cause = this.#chance.taken({ sentAt: flight.sentAt, now, isCut: cut !== undefined });
    if (cut !== undefined) this.#takenOfCut(cut, flight, now);
    else if (cause === "pace") this.#begin(now);
    this.#paced(now);
  }

  /** As of the learner. */
  failed(flight: Flight, now: number): void {
    if (this.isUsedUp) this.undecided(flight);
    else this.taken(flight, now);
  }

  /** It was not answered, so it says nothing. */
  undecided(flight: Flight): void {
    this.#cut?.learner.undecided(flight);
    this.#cut?.more.undecided(flight);
  }

  /** As of the learner. */
  restart(now: number): void {
    this.#cut?.learner.restart(now);
  }

  /** It got a 429, which asked for a wait of `toldMs` milliseconds; 0: it did not say. The caller sees to that wait. */
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
    const more = new CeilingTry(this.#options.random, this.#windowMs, now);
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

  /** The pace may be another one now. */
  #paced(now: number): void {
    this.#chance.paced(this.#ceilingMs / this.minTimeMs, now);
    const { isUsedUp } = this;
    // What is sent while it is measured changes several times; that takes minutes at most, but of a quota of few requests a day.
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
