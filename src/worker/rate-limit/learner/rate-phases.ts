import type { Lane } from "../../../messages/lane.ts";
import { correction } from "./correction.ts";
import { SLOW_MS } from "./exhausted-quota.ts";
import type { LearnedQuota } from "./learned-quota.ts";
import { MARGIN, Measurement } from "./measurement.ts";
import { PaceStep } from "./pace-step.ts";
import { Bracket } from "./search/bracket.ts";
import { DoublingSearch } from "./search/doubling-search.ts";
import { FasterRateProbe } from "./search/probe.ts";
import { ProbeSchedule } from "./search/probe-schedule.ts";
import type { Opening, RateSearch } from "./search/rate-search.ts";

/** A used-up quota accepts requests again. Times are milliseconds on a monotonic clock. */
export interface Reopened {
  /** When the first refused request was sent, and how many requests were refused. */
  readonly usedUp: { readonly begunAt: number; readonly refusals: number };
  readonly opening: Opening;
  /** The opening before this one. */
  readonly before: Opening;
  /** When the accepted request was sent, and when its answer came. */
  readonly at: number;
  readonly now: number;
  /** Requests accepted so far. */
  readonly taken: number;
  /** Whether the service said how long to wait. */
  readonly isTold: boolean;
}

/** Slowest rate for any key: one request in ten minutes. */
const SLOWEST = 1 / 600;
/** The first measurement starts at most at this many times the rate that the search achieved. */
const MAX_ABOVE = 2.5;
/** A bracket ends at most at this many times the accepted rate. The search was slow for part of its time. */
const MAX_BRACKET = 8;
/**
 * A probe that gets this many requests beyond the known quota shows that the quota has grown. The bounds are a factor
 * of the burst, a share of the requests in a window, and a count.
 */
const MORE_BURST = 1.3;
const MORE_OF_WINDOW = 0.15;
const MORE_REQUESTS = 4;
/**
 * A quota that is away for longer than this, and than its window, was closed. It is not smaller for that. Milliseconds.
 */
export const CLOSED_MS = 5_000;

type Phase =
  | { readonly is: "searching"; readonly search: DoublingSearch }
  | { readonly is: "measuring"; readonly finder: RateSearch; readonly before: number; readonly excess: number }
  | { readonly is: "steady" }
  | { readonly is: "probing"; readonly probe: FasterRateProbe };

/** Decides which rate is tried, and what follows from it. All times are milliseconds on a monotonic clock. */
export class RatePhases {
  #phase: Phase;
  /** The rate of `steady`. */
  #base: number;
  #learned: LearnedQuota | undefined;
  #burst: number;
  #windowMs: number;
  #rate: number;
  /** A 429 until this time is an echo of the measurement or of the probe. */
  #pardonUntil = Number.NEGATIVE_INFINITY;
  #closures = 0;
  readonly #step = new PaceStep();
  readonly #quiet: ProbeSchedule;

  constructor(learned: LearnedQuota | undefined) {
    const search = new DoublingSearch();
    this.#phase = learned === undefined ? { is: "searching", search } : { is: "steady" };
    this.#learned = learned;
    this.#quiet = new ProbeSchedule(learned !== undefined);
    this.#base = learned?.perSecond ?? search.rate;
    this.#burst = learned?.burst ?? 0;
    this.#windowMs = learned?.windowMs ?? 0;
    this.#rate = this.#base;
  }

  get is(): Phase["is"] {
    return this.#phase.is;
  }

  /** Requests per second to send now. Infinity: without a pace. */
  get rate(): number {
    return this.#rate;
  }

  /** Requests per second that the key accepts, as far as known. */
  get base(): number {
    return this.#base;
  }

  /** Milliseconds; 0 while unknown. */
  get windowMs(): number {
    return this.#windowMs;
  }

  /** Undefined while the quota is unknown. */
  get learned(): LearnedQuota | undefined {
    return this.#learned;
  }

  /** A request of `lane` is sent. @param taken requests accepted so far. */
  sent(now: number, taken: number, lane: Lane): void {
    if (lane === "realtime") this.#quiet.deposit(now);
    if (this.#phase.is === "searching") this.#phase.search.sent(now, taken);
  }

  /** The outcomes of the request sent at `sentAt`, and of all earlier requests, are known. */
  judged(sentAt: number): void {
    this.#step.sent(sentAt);
  }

  /** A request got a 429 that was sent before the learner gave up the tried rate. */
  echoed(): void {
    this.#quiet.echoed();
  }

  /** A request that was sent at `sentAt` was accepted. */
  taken(sentAt: number): void {
    this.#quiet.taken(sentAt);
    if (this.#phase.is === "probing") this.#phase.probe.taken(sentAt);
  }

  /**
   * Starts the next phase or step, if it is time. A request sent at `sentAt` was accepted, and the quota is not used
   * up.
   *
   * @param toldMs how long the last 429 asked to wait, milliseconds; 0: it did not say.
   */
  advance(sentAt: number, now: number, toldMs: number): void {
    const phase = this.#phase;
    if (phase.is === "steady") {
      if (this.#quiet.isOver(now, this.#windowMs, toldMs)) this.#probe(now);
      return;
    }
    const least = phase.is === "measuring" ? phase.finder : phase.is === "probing" ? phase.probe : phase.search;
    if (!this.#step.isOver(sentAt, least)) return;
    const wasUsed = this.#step.wasUsed(sentAt, this.#rate);
    this.#step.begin(now);
    if (wasUsed) this.#passed(phase, sentAt, now);
    else if (phase.is === "searching") phase.search.unused();
    else if (phase.is === "probing") this.#endUnused(phase.probe, sentAt, now);
  }

  /** Gives up the current search or measurement, in favour of the known rate or of a new search. */
  restart(now: number): void {
    this.#step.begin(now);
    this.#closures = 0;
    if (this.#learned !== undefined) {
      this.#becomeSteady();
      this.#quiet.begin(now);
      return;
    }
    const search = new DoublingSearch();
    this.#phase = { is: "searching", search };
    this.#base = search.rate;
    this.#rate = search.rate;
    this.#windowMs = 0;
  }

  /** The quota was used up, and accepts requests again. */
  opened(reopened: Reopened): void {
    const { usedUp, at, now, opening } = reopened;
    const phase = this.#phase;
    const wasClosed = at - usedUp.begunAt > Math.max(CLOSED_MS, 1.5 * this.#windowMs);
    this.#closures = wasClosed ? this.#closures + 1 : 0;
    if (phase.is === "searching") this.#searched(phase.search, reopened);
    else if (this.#closures === 1) this.#resume(opening);
    else if (phase.is === "measuring") this.#settle(phase.finder.opened(opening, usedUp.begunAt), now);
    else if (phase.is === "probing") this.#probed(phase.probe, reopened);
    else this.#surprised(reopened);
    this.#step.begin(now);
    if (this.#phase.is === "steady") this.#quiet.begin(now);
  }

  /** The quota was closed, and not used up, because it was away for so long. The current phase goes on. */
  #resume(opening: Opening): void {
    this.#quiet.changed();
    if (this.#phase.is === "measuring") this.#phase.finder.restart(opening);
    else this.#becomeSteady();
  }

  #searched(search: DoublingSearch, { usedUp, at, taken, opening, isTold }: Reopened): void {
    const { lengthMs, perSecond } = search.found({ at, taken });
    // A service that says how long to wait says how long its window is. The search was slow for part of its time.
    this.#windowMs = isTold ? at - usedUp.begunAt : lengthMs;
    this.#base = Math.max(SLOWEST, perSecond);
    const fastest = Math.min(this.#rate, MAX_ABOVE * perSecond);
    this.#measure({ from: opening, rate: fastest, least: perSecond, expected: perSecond, isUrgent: false }, 0, isTold);
  }

  #measure(how: Omit<ConstructorParameters<typeof Measurement>[0], "windowMs">, excess: number, isTold: boolean): void {
    const finder = isTold
      ? new Bracket(
          how.isUrgent ? this.#base / 4 : this.#base,
          Math.min(this.#rate, MAX_BRACKET * this.#base),
          this.#windowMs,
        )
      : new Measurement({ ...how, windowMs: this.#windowMs });
    this.#phase = { is: "measuring", finder, before: this.#base, excess };
    this.#rate = finder.rate;
  }

  /** The finder returned a rate, or goes on. */
  #settle(found: number | undefined, now: number): void {
    if (this.#phase.is !== "measuring") return;
    const { finder, before, excess } = this.#phase;
    this.#rate = finder.rate;
    if (finder instanceof Measurement) this.#windowMs = finder.windowMs;
    if (found === undefined) return;
    this.#base = Math.max(SLOWEST, found);
    const change = this.#base / before;
    if (change < 0.8 || change > 1.25) this.#quiet.changed();
    if (change < 0.8) this.#burst = 0;
    else if (change > 0.95 && change < 1.08) this.#burst = Math.max(this.#burst, 1.05 * excess);
    this.#quiet.isVerified = (change < 0.8 && excess === 0) || (finder instanceof Bracket && finder.hasFailed);
    this.#pardonUntil = now + this.#echoMs();
    this.#becomeSteady();
  }

  /** How long a sliding window opens in fits after the quota was used up, milliseconds. */
  #echoMs(): number {
    return Math.max(1_000, this.#windowMs);
  }

  #becomeSteady(): void {
    this.#phase = { is: "steady" };
    this.#rate = this.#base;
    this.#learned = { perSecond: this.#base, burst: this.#burst, windowMs: this.#windowMs };
  }

  #probed(probe: FasterRateProbe, { usedUp, before, opening, at, now, isTold }: Reopened): void {
    this.#quiet.probed(usedUp.refusals);
    const excess = probe.excess(usedUp.begunAt);
    if (excess > this.#tolerated()) {
      const rate = 1.05 * probe.passedRate;
      this.#measure({ from: opening, rate, least: 0, expected: this.#base / MARGIN, isUrgent: false }, excess, isTold);
      return;
    }
    this.#raiseByCycle(before, opening);
    this.#quiet.isVerified = true;
    // A new bracket costs many windows. Where answers are slow, many requests were sent before the first 429 was known.
    if (isTold || now - at > SLOW_MS) this.#pardonUntil = now + this.#echoMs();
    this.#becomeSteady();
  }

  /** Requests beyond the measured rate that a probe may get accepted without new information. */
  #tolerated(): number {
    const ofWindow = this.#quiet.isVerified ? (MORE_OF_WINDOW * this.#base * this.#windowMs) / 1_000 : 0;
    return MORE_BURST * this.#burst + ofWindow + MORE_REQUESTS;
  }

  /** Between two exhausted periods that are far apart, no counter accepts more than its rate. */
  #raiseByCycle(before: Opening, opening: Opening): void {
    const count = opening.taken - before.taken;
    const lengthMs = opening.at - before.at;
    if (count < 30 || lengthMs < 3 * this.#windowMs) return;
    this.#base = Math.max(this.#base, (MARGIN * 1_000 * count) / lengthMs);
  }

  #surprised({ usedUp: { begunAt }, before, opening, now, isTold }: Reopened): void {
    if (begunAt < this.#pardonUntil) {
      this.#pardonUntil = Number.NEGATIVE_INFINITY;
      return;
    }
    const soon = Math.max(2 * this.#windowMs, 1_000, 20_000 / this.#base);
    if (this.#closures === 0 && begunAt - before.at >= soon) {
      this.#base *= correction(begunAt - before.at, opening.at - begunAt, isTold);
      this.#becomeSteady();
      return;
    }
    this.#measure({ from: before, rate: this.#rate, least: 0, expected: 0, isUrgent: true }, 0, isTold);
    if (this.#phase.is === "measuring" && !isTold) this.#settle(this.#phase.finder.opened(opening, begunAt), now);
  }

  #passed(phase: Phase, sentAt: number, now: number): void {
    if (phase.is === "searching") {
      phase.search.passed();
      this.#rate = phase.search.rate;
    } else if (phase.is === "measuring") {
      this.#settle(phase.finder.passed(), now);
      if (this.is === "steady") this.#quiet.begin(now);
    } else if (phase.is === "probing") {
      phase.probe.passed(phase.probe.excess(sentAt) > this.#tolerated());
      this.#rate = phase.probe.rate;
    }
  }

  #probe(now: number): void {
    const probe = new FasterRateProbe({
      base: this.#base,
      perSecond: this.#base / MARGIN,
      windowMs: this.#windowMs,
      now,
    });
    this.#phase = { is: "probing", probe };
    this.#rate = probe.rate;
    this.#step.begin(now);
  }

  /** The load does not use the tried rate. The accepted requests count all the same. */
  #endUnused(probe: FasterRateProbe, sentAt: number, now: number): void {
    if (probe.excess(sentAt) > this.#tolerated())
      this.#base = Math.max(this.#base, MARGIN * Math.min(probe.passedRate, probe.takenRate(sentAt)));
    this.#becomeSteady();
    this.#quiet.begin(now);
  }
}
