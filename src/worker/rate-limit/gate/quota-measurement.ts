import type { Clock } from "../../../kernel/clock.ts";
import { RateLimitedError, ServiceDownError, UnavailableError } from "../../answers/service-errors.ts";
import type { LearnedQuota } from "../learner/learned-quota.ts";
import type { RateLearner } from "../learner/rate-learner.ts";
import { waiterOf } from "../queue/waiter.ts";
import type { Gate } from "./gate.ts";

export interface QuotaMeasurementOptions {
  readonly gate: Gate;
  /** The gate's own, which knows nothing yet. */
  readonly learner: RateLearner;
  /** Makes one request; `signal` aborts when nobody waits for its answer any more. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
  /** Requests on the wire at once. */
  readonly concurrency: number;
  readonly maxRequests: number;
  readonly maxMs: number;
  readonly clock: Clock;
}

/** Why a measurement is over: the quota is found, a bound is reached, somebody stopped it, or the service went down meanwhile. */
export type QuotaMeasurementEnd = "learned" | "requests" | "time" | "stopped" | "down";

export interface MeasuredQuota {
  /** Undefined: it is not found. */
  readonly learned: LearnedQuota | undefined;
  readonly requests: number;
  /** Of these, taken by the service, answered with a 429, and failed otherwise; the others have no answer yet. */
  readonly taken: number;
  readonly refused: number;
  readonly failed: number;
  readonly tookMs: number;
  /** For how long nothing but 429s came, up to now; 0: the last answer was none. */
  readonly usedUpMs: number;
  /** Undefined while it goes on. */
  readonly end: QuotaMeasurementEnd | undefined;
}

/**
 * Of the rate that is measured, which is a little less than the quota: so much is the quota at least and at most. Source: 640
 * measurements in virtual time, 40 of each kind of counter in test/quota/kinds.ts, took 0.861 to 1.041 of it.
 */
export const QUOTA_OF_RATE = { least: 0.96, most: 1.17 } as const;

/** Finds a key's quota out by using it up: asks until it is learned, within a number of requests and a time. */
export class QuotaMeasurement {
  readonly #options: QuotaMeasurementOptions;
  readonly #begunAt: number;
  /** For those who wait for a slot, or for the quota to open again. */
  readonly #over = new Error("the measurement is over");
  readonly #unanswered = new AbortController();
  #endedAt: number | undefined;
  #end: QuotaMeasurementEnd | undefined;
  #requests = 0;
  #taken = 0;
  #refused = 0;
  #failed = 0;
  #usedUpSince: number | undefined;

  constructor(options: QuotaMeasurementOptions) {
    this.#options = options;
    this.#begunAt = options.clock.ticks();
  }

  get soFar(): MeasuredQuota {
    const now = this.#endedAt ?? this.#options.clock.ticks();
    return {
      learned: this.#options.learner.learned,
      requests: this.#requests,
      taken: this.#taken,
      refused: this.#refused,
      failed: this.#failed,
      tookMs: now - this.#begunAt,
      usedUpMs: now - (this.#usedUpSince ?? now),
      end: this.#end,
    };
  }

  /**
   * Asks until it is over, or `signal` aborts. A service that has answered may fail now and then, until the gate calls it down.
   *
   * @throws whatever the service fails with before it has answered, and what is no passing failure.
   */
  async run(signal: AbortSignal): Promise<MeasuredQuota> {
    const { gate, concurrency, maxMs, clock } = this.#options;
    const timer = new AbortController();
    const outOfTime = () => this.#stop("time");
    clock.sleep(maxMs, timer.signal).then(outOfTime, () => {});
    const stopped = () => this.#stop("stopped");
    signal.addEventListener("abort", stopped);
    if (signal.aborted) stopped();
    try {
      await Promise.all(Array.from({ length: concurrency }, () => this.#askOn()));
      this.#endedAt = clock.ticks();
      return this.soFar;
    } finally {
      timer.abort();
      signal.removeEventListener("abort", stopped);
      gate.abandon(this.#over);
    }
  }

  async #askOn(): Promise<void> {
    const { gate, clock } = this.#options;
    while (!this.#isOver()) {
      try {
        const answer = await gate.run(() => this.#send(), waiterOf({ lane: "backfill", tenant: "" }));
        if (answer === undefined) continue;
        this.#taken++;
        this.#usedUpSince = undefined;
      } catch (thrown) {
        if (thrown === this.#over || this.#unanswered.signal.aborted) return;
        if (thrown instanceof ServiceDownError) {
          // Where nothing was ever answered, whoever's request failed says why.
          if (this.#hasAnswered) this.#stop("down");
          return;
        }
        if (thrown instanceof RateLimitedError) {
          this.#refused++;
          this.#usedUpSince ??= clock.ticks();
        } else this.#failedBy(thrown);
      }
    }
  }

  /** @throws what says that there is nothing to be measured. */
  #failedBy(thrown: unknown): void {
    this.#failed++;
    if (!this.#hasAnswered || !(thrown instanceof UnavailableError)) throw thrown;
  }

  get #hasAnswered(): boolean {
    return this.#taken + this.#refused > 0;
  }

  #send(): { readonly events: readonly string[]; readonly answer: Promise<true> } | undefined {
    if (this.#isOver()) return undefined;
    this.#requests++;
    // Each counts for itself: a question that always fails is no sign of a service that is down.
    return { events: [`quota ${this.#requests}`], answer: this.#options.ask(this.#unanswered.signal).then(() => true) };
  }

  #isOver(): boolean {
    const { learner, maxRequests } = this.#options;
    if (learner.learned !== undefined) this.#close("learned");
    else if (this.#requests >= maxRequests) this.#close("requests");
    return this.#end !== undefined;
  }

  /** What is on its way is waited for no longer. */
  #stop(end: QuotaMeasurementEnd): void {
    this.#close(end);
    this.#unanswered.abort(this.#over);
  }

  #close(end: QuotaMeasurementEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#options.gate.abandon(this.#over);
  }
}
