import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";
import {
  isUnsent,
  KeyReplacedError,
  LoadRefusedError,
  RateLimitedError,
  RefusedAgainError,
  UnauthorizedError,
  UnavailableError,
} from "../../answers/service-errors.ts";
import { type BreakerAdmission, CircuitBreaker } from "../breaker/circuit-breaker.ts";
import { DownTime } from "../breaker/down-time.ts";
import { Outage } from "../breaker/outage.ts";
import type { RetryQueue } from "../breaker/retry-queue.ts";
import type { Headroom } from "../sharing/headroom.ts";
import { LONGEST_WAIT_MS, Pause } from "./pause.ts";

export interface ResponseTrackerDeps {
  /** Observes accepted requests and refusals where a quota is configured. */
  readonly headroom: Headroom | undefined;
  /** Observes each answer. */
  readonly retries: Pick<RetryQueue, "answered">;
  readonly clock: Pick<Clock, "ticks" | "sleep">;
  readonly random: Random;
  readonly log: Log;
  /** Called with the HTTP status of each refusal for load. */
  readonly onLoadRefused: (status: number) => void;
  /** Reads the API key again. @returns whether the key has changed. */
  readonly reloadKey: () => Promise<boolean>;
  /** Whether a pacer decides how long to wait after a 429 without Retry-After. */
  readonly isPaced: boolean;
  /** Longest announced wait that realtime events keep to, in milliseconds. */
  readonly maxWaitMs: number;
}

/** A caller may take this long after a 429 or a 401 to ask again. Chosen: the longest pause after a refusal. */
const REFUSED_MS = 60_000;

/**
 * Reacts to the service's responses: begins and ends pauses, opens and closes the circuit breaker, and loads a new key.
 */
export class ResponseTracker {
  readonly silence = new Outage();
  readonly breaker: CircuitBreaker;
  readonly pause: Pause;
  readonly downTime = new DownTime();
  readonly #deps: ResponseTrackerDeps;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #answers = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #keys = 0;
  #keyGoodAt = Number.NEGATIVE_INFINITY;
  #lastFailure: string | undefined;

  constructor(deps: ResponseTrackerDeps) {
    this.#deps = deps;
    this.breaker = new CircuitBreaker(deps.random);
    this.pause = new Pause(deps.random, deps.maxWaitMs);
  }

  /** Number of requests that were answered. */
  get answers(): number {
    return this.#answers;
  }

  /** When the service answered last, milliseconds of `ticks`; -Infinity before the first answer. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** Number of times that a new API key replaced the one in use. */
  get keys(): number {
    return this.#keys;
  }

  /** When the latest of the answered requests was sent, in milliseconds of the clock's ticks. */
  get keyGoodAt(): number {
    return this.#keyGoodAt;
  }

  /** Message of the last request that the service failed to answer; undefined before the first one. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** Whether a request was refused recently for load or for its key, and not for its content. */
  get hasRefused(): boolean {
    return this.#deps.clock.ticks() - this.#refusedAt < REFUSED_MS;
  }

  /** Whether the service, and not the question, is at fault. The failure then costs the question no attempt. */
  isFree(error: AppError): boolean {
    if (error instanceof RateLimitedError || error instanceof UnauthorizedError) return true;
    if (error instanceof KeyReplacedError) return true;
    return error instanceof UnavailableError && this.breaker.open !== undefined;
  }

  answered(passage: BreakerAdmission): void {
    if (this.breaker.open !== undefined) this.#deps.log.info("the service answers again");
    this.#answers++;
    this.#answeredAt = this.#deps.clock.ticks();
    this.#keyGoodAt = Math.max(this.#keyGoodAt, passage.at);
    this.#deps.headroom?.taken();
    this.breaker.answered();
    this.silence.answered(this.#deps.clock.ticks());
    this.#deps.retries.answered();
    this.pause.answered(passage.at);
  }

  /**
   * Reacts to the failure of a request about `events`. Resolves when all consequences are done, such as a new key.
   *
   * @param thrown why the request failed.
   */
  async failed(thrown: unknown, passage: BreakerAdmission, events: Iterable<string>): Promise<void> {
    if (isUnsent(thrown)) this.breaker.unsent(passage);
    else if (thrown instanceof RefusedAgainError) this.#refusedAgain(thrown, passage);
    else if (thrown instanceof RateLimitedError) this.#limited(thrown, passage);
    else if (thrown instanceof UnauthorizedError) await this.#unauthorized(passage);
    else if (thrown instanceof UnavailableError) this.#unavailable(thrown, passage, events);
    else if (thrown instanceof AppError) this.answered(passage);
    else this.breaker.undecided(passage);
  }

  #limited(error: RateLimitedError, passage: BreakerAdmission): void {
    const { clock, headroom, isPaced, onLoadRefused } = this.#deps;
    this.#refusedAt = clock.ticks();
    onLoadRefused(error.status);
    headroom?.refused();
    this.breaker.undecided(passage);
    this.silence.answered(clock.ticks());
    const waitMs = this.pause.limited(error, clock.ticks(), isPaced);
    if (waitMs === undefined) return;
    const why = error instanceof LoadRefusedError ? "the service refuses for load" : "the quota is used up";
    this.#sayWait(waitMs, `${why}: everything waits`);
  }

  #refusedAgain({ status }: RefusedAgainError, passage: BreakerAdmission): void {
    const now = this.#deps.clock.ticks();
    this.#refusedAt = now;
    this.#deps.onLoadRefused(status);
    this.breaker.undecided(passage);
    this.silence.answered(now);
  }

  /**
   * Makes one event wait by itself. A realtime event may join its question meanwhile, so the realtime limit applies.
   */
  async waitApart({ waitMs }: RefusedAgainError, signal: AbortSignal): Promise<void> {
    const { clock, maxWaitMs } = this.#deps;
    await clock.sleep(Math.min(waitMs, maxWaitMs), signal);
  }

  #sayWait(waitMs: number, message: string): void {
    const { log, maxWaitMs } = this.#deps;
    const fields = { waitMs: Math.round(waitMs) };
    if (waitMs <= maxWaitMs) log.warn(message, fields);
    else {
      const says = "the service asks for a wait longer than SERVICE_MAX_WAIT: realtime events ask again before it ends";
      log.warn(says, { ...fields, maxWaitMs });
    }
  }

  async #unauthorized(passage: BreakerAdmission): Promise<void> {
    const { clock, log, reloadKey } = this.#deps;
    const wasOpen = this.breaker.open !== undefined;
    this.#refusedAt = clock.ticks();
    this.breaker.unauthorized(passage, clock.ticks());
    const isAnother = await reloadKey();
    if (isAnother) this.#keys++;
    if (!wasOpen) log.error("the service refuses the API key: Weir sends only probes", { isAnother });
  }

  #unavailable(error: UnavailableError, passage: BreakerAdmission, events: Iterable<string>): void {
    const { clock, log } = this.#deps;
    const wasOpen = this.breaker.open !== undefined;
    this.#lastFailure = error.message;
    this.silence.failed(clock.ticks());
    if (error.retryAfterMs) this.#announced(error.retryAfterMs, passage);
    else this.breaker.failed(passage, events, clock.ticks());
    if (!wasOpen && this.breaker.open !== undefined)
      log.error("the service is down: Weir sends only probes", { reason: error.message });
  }

  #announced(retryAfterMs: number, passage: BreakerAdmission): void {
    const now = this.#deps.clock.ticks();
    this.breaker.announced(passage, now);
    const waitMs = this.pause.announced(retryAfterMs, now);
    this.downTime.announce(this.breaker.open?.since ?? now, Math.min(LONGEST_WAIT_MS, retryAfterMs), now);
    if (waitMs !== undefined) this.#sayWait(waitMs, "the service is down and says for how long: everything waits");
  }
}
