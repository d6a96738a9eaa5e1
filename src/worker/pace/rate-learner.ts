import type { Random } from "../../kernel/random.ts";
import { Bracket } from "./bracket.ts";
import type { Finder, Opening } from "./finder.ts";
import { MARGIN, Measurement } from "./measurement.ts";
import { Probe } from "./probe.ts";
import { Quiet } from "./quiet.ts";
import { Search } from "./search.ts";
import { type Flight, type Patience, UsedUp } from "./used-up.ts";

/** What was learned of a key's quota, to begin with next time. */
export interface LearnedQuota {
  /** Requests a second that are sent: a little less than the key may make. */
  readonly perSecond: number;
  /** Requests beyond that which were taken in a row. */
  readonly burst: number;
  /** About as long as the service counts, milliseconds. */
  readonly windowMs: number;
}

/** No key is asked less often: once in ten minutes. */
const SLOWEST = 1 / 600;
/** The first measurement begins at most so much faster than what the search was taken. */
const MAX_ABOVE = 2.5;
/** Of the slots of a step that must be used: whoever asks for less has not tried its rate. */
const MIN_USE = 0.7;
/** A probe that is taken so far says that the quota has grown: of the burst, of the requests in a window, and requests. */
const MORE_BURST = 1.3;
const MORE_OF_WINDOW = 0.15;
const MORE_REQUESTS = 4;
/** A rate that drew one 429 by chance goes on so much slower. */
const CORRECTION = 0.985;
/** A quota away for longer than this, and than its window, was closed, and is not smaller for that, milliseconds. */
const CLOSED_MS = 5_000;
/** After a used-up quota: longer than requests take to overtake each other, milliseconds. */
const REST_MS = 30;
/** Of a window, between two requests that ask whether a used-up quota is open again, at least. */
const PING_OF_WINDOW = 0.01;
/** From this rate on one by one tells too little: the first 429s of a measurement do not stop it. */
const GRACE_FROM = 25;
const GRACE_MS = 60;

type State =
  | { readonly is: "searching"; readonly search: Search }
  | { readonly is: "measuring"; readonly finder: Finder; readonly before: number; readonly excess: number }
  | { readonly is: "steady" }
  | { readonly is: "probing"; readonly probe: Probe };

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
 * All times are milliseconds on a monotonic clock.
 */
export class RateLearner {
  readonly #random: Random;
  #state: State;
  /** What `steady` sends. */
  #base: number;
  #learned: LearnedQuota | undefined;
  #burst: number;
  #windowMs: number;
  #rate: number;
  #usedUp: UsedUp | undefined;
  /** Whether the service said how long to wait, this time. */
  #isTold = false;
  #opening: Opening = { at: Number.NEGATIVE_INFINITY, unsureMs: 0, taken: 0 };
  /** What left before has been judged. */
  #judgedUntil = Number.NEGATIVE_INFINITY;
  #restUntil = Number.NEGATIVE_INFINITY;
  /** A 429 until then is an echo of the measurement. */
  #pardonUntil = Number.NEGATIVE_INFINITY;
  #closures = 0;
  #taken = 0;
  #stepAt = Number.NaN;
  #sentInStep = 0;
  readonly #quiet: Quiet;
  #toldMs = 0;

  constructor(random: Random, learned?: LearnedQuota) {
    this.#random = random;
    const search = new Search();
    this.#state = learned === undefined ? { is: "searching", search } : { is: "steady" };
    this.#learned = learned;
    this.#quiet = new Quiet(learned !== undefined);
    this.#base = learned?.perSecond ?? search.rate;
    this.#burst = learned?.burst ?? 0;
    this.#windowMs = learned?.windowMs ?? 0;
    this.#rate = this.#base;
  }

  /** How far apart requests must leave, milliseconds; 0: as fast as they come. */
  get minTimeMs(): number {
    return Number.isFinite(this.#rate) ? 1_000 / this.#rate : 0;
  }

  /** Whether the quota is used up at the moment. */
  get isUsedUp(): boolean {
    return this.#usedUp !== undefined;
  }

  /** Undefined while nothing is known. */
  get learned(): LearnedQuota | undefined {
    return this.#learned;
  }

  /** How long the next request must wait, its pace aside, milliseconds; Infinity: until an answer comes. */
  waitMs(now: number): number {
    return this.#usedUp?.waitMs(now) ?? Math.max(0, this.#restUntil - now);
  }

  /** A request leaves. */
  sent(now: number): Flight {
    const flight = { sentAt: now };
    this.#usedUp?.sent(flight);
    if (this.#state.is === "searching") this.#state.search.sent(now, this.#taken);
    if (Number.isNaN(this.#stepAt)) this.#beginStep(now);
    this.#sentInStep++;
    return flight;
  }

  /** It was answered with something else than a 429. */
  taken(flight: Flight, now: number): void {
    this.#taken++;
    this.#quiet.taken();
    if (this.#state.is === "probing") this.#state.probe.taken();
    if (this.#usedUp === undefined) this.#step(now);
    else if (this.#usedUp.isOpenedBy(flight)) this.#opened(this.#usedUp, flight.sentAt, now);
  }

  /** It was not answered, so it says nothing. */
  undecided(flight: Flight): void {
    this.#usedUp?.undecided(flight);
  }

  /** It got a 429, which asked for a wait of `toldMs` milliseconds; 0: it did not say. The caller sees to that wait. */
  refused(flight: Flight, now: number, toldMs: number): void {
    if (flight.sentAt < this.#judgedUntil) return;
    this.#isTold = toldMs > 0 || (this.#isTold && this.#usedUp !== undefined);
    this.#toldMs = Math.max(this.#usedUp === undefined ? 0 : this.#toldMs, toldMs);
    if (this.#usedUp === undefined) this.#usedUp = new UsedUp(flight, now, this.#patience(toldMs), this.#random);
    else this.#usedUp.refused(flight, now);
  }

  #patience(toldMs: number): Patience {
    const slotMs = 1_000 / this.#base;
    // Of a long window nobody needs to know the moment.
    const leastMs = Math.max(5, PING_OF_WINDOW * this.#windowMs);
    if (this.#state.is === "steady" || this.#state.is === "probing")
      return { firstMs: Math.max(leastMs, slotMs > 50 ? 2.5 * slotMs : slotMs), doubles: true, graceMs: 0 };
    const isFast = this.#state.is === "measuring" && this.#rate > GRACE_FROM && toldMs === 0;
    const firstMs = Math.max(leastMs, Math.min(CLOSED_MS, slotMs / 2));
    return { firstMs, doubles: false, graceMs: isFast ? GRACE_MS : 0 };
  }

  #opened(usedUp: UsedUp, at: number, now: number): void {
    const before = this.#opening;
    const unsureMs = this.#isTold ? 0 : at - usedUp.lastRefusedAt;
    // The one that was taken belongs to what comes after.
    this.#opening = { at: at - unsureMs / 2, unsureMs, taken: this.#taken - 1 };
    this.#judgedUntil = at;
    this.#usedUp = undefined;
    const state = this.#state;
    const wasClosed = at - usedUp.begunAt > Math.max(CLOSED_MS, 1.5 * this.#windowMs);
    this.#closures = wasClosed ? this.#closures + 1 : 0;
    if (state.is === "searching") this.#searched(state.search, at);
    else if (this.#closures === 1) this.#resume();
    else if (state.is === "measuring") this.#settle(state.finder.opened(this.#opening, usedUp.begunAt), now);
    else if (state.is === "probing") this.#probed(state.probe, usedUp, before);
    else this.#surprised(usedUp, before, now);
    this.#beginStep(now);
    if (this.#state.is !== "steady") return;
    this.#judgedUntil = now;
    this.#restUntil = now + REST_MS;
    this.#quiet.begin(now);
  }

  /** It was away for so long that it was closed, and not used up: everything goes on as before. */
  #resume(): void {
    this.#quiet.changed();
    if (this.#state.is === "measuring") this.#state.finder.restart(this.#opening);
    else this.#becomeSteady();
  }

  #searched(search: Search, at: number): void {
    const { lengthMs, perSecond } = search.found({ at, taken: this.#taken });
    this.#windowMs = lengthMs;
    this.#base = Math.max(SLOWEST, perSecond);
    const fastest = Math.min(this.#rate, MAX_ABOVE * perSecond);
    this.#measure({ from: this.#opening, rate: fastest, least: perSecond, expected: perSecond, isUrgent: false }, 0);
  }

  #measure(how: Omit<ConstructorParameters<typeof Measurement>[0], "windowMs">, excess: number): void {
    const finder = this.#isTold
      ? new Bracket(how.isUrgent ? this.#base / 4 : this.#base, Math.min(this.#rate, 4 * this.#base), this.#windowMs)
      : new Measurement({ ...how, windowMs: this.#windowMs });
    this.#state = { is: "measuring", finder, before: this.#base, excess };
    this.#rate = finder.rate;
  }

  /** A finder has come to an end, or goes on. */
  #settle(found: number | undefined, now: number): void {
    if (this.#state.is !== "measuring") return;
    const { finder, before, excess } = this.#state;
    this.#rate = finder.rate;
    if (finder instanceof Measurement) this.#windowMs = finder.windowMs;
    if (found === undefined) return;
    this.#base = Math.max(SLOWEST, found);
    const change = this.#base / before;
    if (change < 0.8 || change > 1.25) this.#quiet.changed();
    if (change < 0.8) this.#burst = 0;
    else if (change > 0.95 && change < 1.08) this.#burst = Math.max(this.#burst, 1.05 * excess);
    this.#quiet.isVerified = change < 0.8 && excess === 0;
    this.#pardonUntil = now + Math.max(1_000, this.#windowMs);
    this.#becomeSteady();
  }

  #becomeSteady(): void {
    this.#state = { is: "steady" };
    this.#rate = this.#base;
    this.#learned = { perSecond: this.#base, burst: this.#burst, windowMs: this.#windowMs };
  }

  #probed(probe: Probe, { begunAt, refusals }: UsedUp, before: Opening): void {
    this.#quiet.probed(refusals);
    const excess = probe.excess(begunAt);
    if (excess > this.#tolerated()) {
      const rate = 1.05 * probe.passedRate;
      const expected = this.#base / MARGIN;
      this.#measure({ from: this.#opening, rate, least: 0, expected, isUrgent: false }, excess);
      return;
    }
    this.#raiseByCycle(before);
    this.#quiet.isVerified = true;
    this.#becomeSteady();
  }

  /** Requests beyond the measured rate that a probe may be taken without saying anything new. */
  #tolerated(): number {
    const ofWindow = this.#quiet.isVerified ? (MORE_OF_WINDOW * this.#base * this.#windowMs) / 1_000 : 0;
    return MORE_BURST * this.#burst + ofWindow + MORE_REQUESTS;
  }

  /** From one used-up moment to a much later one no counter takes more than its rate. */
  #raiseByCycle(before: Opening): void {
    const count = this.#opening.taken - before.taken;
    const lengthMs = this.#opening.at - before.at;
    if (count < 30 || lengthMs < 3 * this.#windowMs) return;
    this.#base = Math.max(this.#base, (MARGIN * 1_000 * count) / lengthMs);
  }

  #surprised({ begunAt }: UsedUp, before: Opening, now: number): void {
    if (begunAt < this.#pardonUntil) {
      this.#pardonUntil = Number.NEGATIVE_INFINITY;
      return;
    }
    const soon = Math.max(2 * this.#windowMs, 1_000, 20_000 / this.#base);
    if (this.#closures === 0 && begunAt - before.at >= soon) {
      this.#base *= CORRECTION;
      this.#becomeSteady();
      return;
    }
    this.#measure({ from: before, rate: this.#rate, least: 0, expected: 0, isUrgent: true }, 0);
    if (this.#state.is === "measuring" && !this.#isTold)
      this.#settle(this.#state.finder.opened(this.#opening, begunAt), now);
  }

  #beginStep(now: number): void {
    this.#stepAt = now;
    this.#sentInStep = 0;
  }

  /** Something was taken, and nothing is used up: is it time for something else? */
  #step(now: number): void {
    const state = this.#state;
    if (state.is === "steady") {
      if (this.#quiet.isOver(now, this.#windowMs, this.#toldMs)) this.#probe(now);
      return;
    }
    const step = state.is === "measuring" ? state.finder : state.is === "probing" ? state.probe : state.search;
    const lasted = now - this.#stepAt;
    if (lasted < step.stepMs || this.#sentInStep < step.stepRequests) return;
    const wasUsed = !Number.isFinite(this.#rate) || this.#sentInStep >= (MIN_USE * this.#rate * lasted) / 1_000;
    this.#beginStep(now);
    if (wasUsed) this.#passed(state, now);
    else if (state.is === "searching") state.search.unused();
    else if (state.is === "probing") this.#endUnused(state.probe, now);
  }

  #passed(state: State, now: number): void {
    if (state.is === "searching") {
      state.search.passed();
      this.#rate = state.search.rate;
    } else if (state.is === "measuring") {
      this.#settle(state.finder.passed(), now);
      if (this.#state.is === "steady") this.#quiet.begin(now);
    } else if (state.is === "probing") {
      state.probe.passed();
      this.#rate = state.probe.rate;
    }
  }

  #probe(now: number): void {
    const probe = new Probe({ base: this.#base, perSecond: this.#base / MARGIN, windowMs: this.#windowMs, now });
    this.#state = { is: "probing", probe };
    this.#rate = probe.rate;
    this.#beginStep(now);
  }

  /** Nobody asks for so much: what was taken by then counts all the same. */
  #endUnused(probe: Probe, now: number): void {
    if (probe.excess(now) > this.#tolerated())
      this.#base = Math.max(this.#base, MARGIN * Math.min(probe.passedRate, probe.takenRate(now)));
    this.#becomeSteady();
    this.#quiet.begin(now);
  }
}
