import type { Lane } from "../../events/lane.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import type { Slots } from "../ports.ts";
import { RateLimitedError, ServiceDownError, UnauthorizedError, UnavailableError } from "../service-errors.ts";
import { Breaker, type Passage } from "./breaker.ts";
import type { Headroom } from "./headroom.ts";
import { LearnedPace } from "./learned-pace.ts";
import { Line, type WeightOf } from "./line.ts";
import { Pause } from "./pause.ts";
import type { RateLearner } from "./rate-learner.ts";
import { RetryBudget } from "./retry-budget.ts";
import { Silence } from "./silence.ts";
import type { Claim, Company, Turn } from "./turn.ts";
import type { Flight } from "./used-up.ts";

export interface GateDeps {
  readonly slots: Slots;
  /** Finds the quota out, and sets the pace of `slots`; undefined: they have the pace of a quota that is given, or none. */
  readonly learner: RateLearner | undefined;
  /** Told of the answers, where a quota is given. */
  readonly headroom: Headroom | undefined;
  readonly weightOf: WeightOf;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Reads the key anew. @returns whether it is another one now. */
  readonly reloadKey: () => Promise<boolean>;
  /** How long the service may be down before whoever waits is told so, milliseconds; Infinity: they wait. */
  readonly patienceMs: number;
  /** Whether a refused key is the end: nothing but this process could change it. */
  readonly keyIsFixed: boolean;
}

/** A request on its way, and the events that it is about. */
export interface Sent<T> {
  readonly events: Iterable<string>;
  readonly answer: Promise<T>;
}

/** How long after a 429 or a 401 whoever asked may still be on his way to the next. Chosen: the longest pause after one. */
const REFUSED_MS = 60_000;

/**
 * The one way to the service. A request passes when nothing is paused, the breaker lets it, and its slot has come; what
 * to send is decided then. A 429 pauses everything on the key; the breaker stops everything while the key is
 * refused or the service is down.
 */
export class Gate {
  readonly silence = new Silence();
  readonly #deps: GateDeps;
  readonly #breaker: Breaker;
  readonly #budget = new RetryBudget();
  readonly #line: Line;
  readonly #learned: LearnedPace | undefined;
  readonly #pause: Pause;
  /** One for each request that has not left. */
  readonly #unsent = new Set<object>();
  #refusedAt = Number.NEGATIVE_INFINITY;
  #isHeld = false;
  #answers = 0;
  #keys = 0;
  #changed = Promise.withResolvers<void>();
  readonly #abandoned = new AbortController();
  readonly #waiting = new Set<(reason: unknown) => void>();
  #sleeping: { readonly until: number; readonly promise: Promise<void> } | undefined;

  constructor(deps: GateDeps) {
    this.#deps = deps;
    this.#breaker = new Breaker(deps.random);
    this.#line = new Line(deps.weightOf);
    this.#pause = new Pause(deps.random);
    const { learner } = deps;
    this.#learned = learner && new LearnedPace({ ...deps, learner });
  }

  /** Why nothing passes, for operators; undefined while it does. */
  get closed(): "unauthorized" | "failing" | "rate limited" | undefined {
    if (this.#breaker.open !== undefined) return this.#breaker.open.cause;
    const isPaused = this.#pause.leftMs(this.#deps.clock.ticks()) > 0;
    return isPaused || this.#learned?.isUsedUp === true ? "rate limited" : undefined;
  }

  /**
   * Makes one request. `send` is called when it may leave, not before: what to send is decided there.
   *
   * @param asker whose slot it is to be; one request at a time for each.
   * @returns the answer; undefined when `send` had nothing left to send.
   * @throws what the answer rejects with; ServiceDownError when the service was down for longer than this process
   * waits; the reason of `abandon`.
   */
  async run<T>(send: (lane: Lane) => Sent<T> | undefined, asker: Turn | Company): Promise<T | undefined> {
    const asking = {};
    this.#unsent.add(asking);
    const sendNow = (lane: Lane) => {
      this.#unsent.delete(asking);
      return send(lane);
    };
    try {
      for (;;) {
        await this.#whenOpen();
        const passed = await this.#inSlot(async (lane) => {
          const passage = this.#pass();
          return passage === undefined ? undefined : { value: await this.#observed(passage, () => sendNow(lane)) };
        }, asker);
        if (passed !== undefined) return passed.value;
      }
    } finally {
      this.#unsent.delete(asking);
    }
  }

  /**
   * Whether somebody waits to send, or was refused not long ago without having failed: what waits may be any event that is
   * in work, and nobody knows for how long it will.
   */
  get isQueued(): boolean {
    return this.#unsent.size > 0 || this.#deps.clock.ticks() - this.#refusedAt < REFUSED_MS;
  }

  /** Rejects all that waits, and whatever comes later, with `reason`. What was sent is not touched. */
  abandon(reason: unknown): void {
    this.#abandoned.abort(reason);
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
    this.#notify();
  }

  /** Sends nothing until it is told to go on: there is no room for what would be answered. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#notify();
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Requests that were answered: while it grows, the key is good. */
  get answers(): number {
    return this.#answers;
  }

  /** Keys that were taken up in place of another. */
  get keys(): number {
    return this.#keys;
  }

  /** Whether the failure was of the service and not of the question: then it costs the question no attempt. */
  isFree(error: AppError): boolean {
    if (error instanceof RateLimitedError || error instanceof UnauthorizedError) return true;
    return error instanceof UnavailableError && this.#breaker.open !== undefined;
  }

  /** @returns whether the process may still afford to repeat what failed so. */
  mayRetry(error: AppError): boolean {
    return this.#budget.spend(error instanceof UnavailableError && error.isTimeout ? "timeout" : "failure");
  }

  /** One more wants what `turn` asks for. */
  join(turn: Turn, claim: Claim): void {
    this.#line.join(turn, claim);
  }

  /**
   * Runs `job` in a slot. One is asked for each who waits, and whose it is is decided when it comes. Who waits is
   * rejected when the gate is abandoned.
   */
  #inSlot<T>(job: (lane: Lane) => Promise<T>, asker: Turn | Company): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { signal } = this.#abandoned;
    this.#waiting.add(reject);
    const fail = (reason: unknown) => {
      this.#waiting.delete(reject);
      reject(reason);
    };
    const begin = async (lane: Lane) => {
      this.#waiting.delete(reject);
      try {
        signal.throwIfAborted();
        resolve(await job(lane));
      } catch (thrown) {
        reject(thrown);
      }
    };
    this.#line.add({ asker, begin, fail });
    const use = async () => {
      const next = this.#waitMs() > 0 ? this.#line.any() : this.#line.next();
      await next?.seat.begin(next.lane);
    };
    this.#deps.slots.run(use).catch((reason: unknown) => this.#line.any()?.seat.fail(reason));
    return promise;
  }

  /** How long everything waits, slots aside. */
  #waitMs(): number {
    const now = this.#deps.clock.ticks();
    return Math.max(this.#pauseMs(now), this.#breaker.waitMs(now));
  }

  #pass(): Passage | undefined {
    const now = this.#deps.clock.ticks();
    return this.#pauseMs(now) > 0 ? undefined : this.#breaker.pass(now);
  }

  /** Infinity: until an answer comes. */
  #pauseMs(now: number): number {
    // Or until there is room for one.
    if (this.#isHeld) return Number.POSITIVE_INFINITY;
    return Math.max(this.#pause.leftMs(now), this.#learned?.waitMs(now) ?? 0);
  }

  async #whenOpen(): Promise<void> {
    for (;;) {
      this.#abandoned.signal.throwIfAborted();
      this.#loseNoMorePatience();
      const wait = this.#waitMs();
      if (wait <= 0) return;
      const until = this.#deps.clock.ticks() + wait;
      await Promise.race([this.#changed.promise, ...(Number.isFinite(wait) ? [this.#sleepUntil(until)] : [])]);
    }
  }

  /** @throws {ServiceDownError} */
  #loseNoMorePatience(): void {
    const { open } = this.#breaker;
    if (open === undefined) return;
    const { patienceMs, keyIsFixed, clock } = this.#deps;
    if (open.cause === "unauthorized" && keyIsFixed && this.#answers === 0)
      throw new ServiceDownError("the API key is refused");
    if (clock.ticks() - open.since >= patienceMs) {
      const why = open.cause === "unauthorized" ? "the API key was refused" : "the service gave no answer";
      throw new ServiceDownError(`${why} for ${Math.round(patienceMs / 1000)} s`);
    }
  }

  /** One timer for all who wait for the same moment. */
  #sleepUntil(until: number): Promise<void> {
    if (this.#sleeping === undefined || this.#sleeping.until > until) {
      const woken = () => {
        if (this.#sleeping?.until === until) this.#sleeping = undefined;
      };
      const { clock } = this.#deps;
      const promise = clock.sleep(Math.max(0, until - clock.ticks()), this.#abandoned.signal).then(woken, woken);
      this.#sleeping = { until, promise };
    }
    return this.#sleeping.promise;
  }

  async #observed<T>(passage: Passage, send: () => Sent<T> | undefined): Promise<T | undefined> {
    let sent: Sent<T> | undefined;
    let flight: Flight | undefined;
    try {
      sent = send();
      if (sent === undefined) {
        this.#breaker.undecided(passage);
        return undefined;
      }
      flight = this.#learned?.sent();
      const answer = await sent.answer;
      this.#ended(flight, undefined);
      this.#answered();
      return answer;
    } catch (thrown) {
      this.#ended(flight, thrown);
      if (thrown instanceof AppError) await this.#failed(thrown, passage, sent?.events ?? []);
      else this.#breaker.undecided(passage);
      throw thrown;
    } finally {
      this.#notify();
    }
  }

  #ended(flight: Flight | undefined, thrown: unknown): void {
    if (flight !== undefined) this.#learned?.ended(flight, thrown, this.#breaker.open !== undefined);
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #answered(): void {
    if (this.#breaker.open !== undefined) this.#deps.log.info("the service answers again");
    this.#answers++;
    this.#deps.headroom?.taken();
    this.#breaker.answered();
    this.silence.answered(this.#deps.clock.ticks());
    this.#budget.answered();
    this.#pause.answered();
  }

  async #failed(error: AppError, passage: Passage, events: Iterable<string>): Promise<void> {
    const { clock, log, reloadKey, headroom } = this.#deps;
    const wasOpen = this.#breaker.open !== undefined;
    if (error instanceof RateLimitedError || error instanceof UnauthorizedError) this.#refusedAt = clock.ticks();
    if (error instanceof RateLimitedError) {
      headroom?.refused();
      this.#breaker.undecided(passage);
      this.silence.answered(clock.ticks());
      this.#limited(error);
    } else if (error instanceof UnauthorizedError) {
      this.#breaker.unauthorized(passage, clock.ticks());
      const isAnother = await reloadKey();
      if (isAnother) this.#keys++;
      if (!wasOpen) log.error("the API key is refused: nothing is sent but a probe now and then", { isAnother });
    } else if (error instanceof UnavailableError) {
      this.silence.failed(clock.ticks());
      this.#breaker.failed(passage, events, clock.ticks());
      if (!wasOpen && this.#breaker.open !== undefined)
        log.error("the service is down: nothing is sent but a probe now and then", { reason: error.message });
    } else this.#answered();
  }

  #limited(error: RateLimitedError): void {
    const waitMs = this.#pause.limited(error, this.#deps.clock.ticks(), this.#learned !== undefined);
    if (waitMs === undefined) return;
    this.#deps.log.warn("the quota is used up: everything waits", { waitMs: Math.round(waitMs) });
  }
}
