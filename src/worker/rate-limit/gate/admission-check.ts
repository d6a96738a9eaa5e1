import type { Clock } from "../../../kernel/clock.ts";
import type { ServiceDownError } from "../../answers/service-errors.ts";
import type { BreakerAdmission } from "../breaker/circuit-breaker.ts";
import type { LearnedPace } from "./learned-pace.ts";
import { type OutagePatience, outageFailure } from "./outage-failure.ts";
import type { ResponseTracker } from "./response-tracker.ts";

interface BarrierDeps {
  readonly clock: Pick<Clock, "ticks">;
  /** Whether a realtime event is queued. The next request that passes is then a realtime request. */
  readonly isDepositNext: () => boolean;
}

/** Holds back all requests during a pause, while the circuit breaker is open, and while answers have no room. */
export class AdmissionCheck {
  readonly #heard: ResponseTracker;
  readonly #learned: LearnedPace | undefined;
  readonly #clock: Pick<Clock, "ticks">;
  readonly #isDepositNext: () => boolean;

  constructor(heard: ResponseTracker, learned: LearnedPace | undefined, { clock, isDepositNext }: BarrierDeps) {
    this.#heard = heard;
    this.#learned = learned;
    this.#clock = clock;
    this.#isDepositNext = isDepositNext;
  }

  /** Why no request passes, for operators. Undefined while requests pass. */
  get closed(): "unauthorized" | "failing" | "rate limited" | undefined {
    const { breaker, pause } = this.#heard;
    if (breaker.open !== undefined) return breaker.open.cause;
    const isPaused = pause.leftMs(this.#clock.ticks()) > 0;
    return isPaused || this.#learned?.isUsedUp === true ? "rate limited" : undefined;
  }

  /**
   * Whether only realtime events may pass. A realtime event waits at most `maxWaitMs`, even if the service asks for
   * more.
   */
  get holdsBackfill(): boolean {
    return this.#heard.pause.leftMs(this.#clock.ticks()) > 0;
  }

  /**
   * Milliseconds until a request may pass, without the wait for a permit. Infinity: until an answer comes or room
   * appears.
   */
  get waitMs(): number {
    const now = this.#clock.ticks();
    return Math.max(this.#pauseMs(now), this.#heard.breaker.waitMs(now));
  }

  /** @returns the passage of the next request; undefined when no request may pass. */
  pass(): BreakerAdmission | undefined {
    const now = this.#clock.ticks();
    return this.#pauseMs(now) > 0 ? undefined : this.#heard.breaker.pass(now);
  }

  /** Stops all requests, or lets requests pass again. Time on hold does not count as an outage. */
  hold(isHeld: boolean): void {
    const now = this.#clock.ticks();
    if (isHeld) this.#heard.downTime.hold(now);
    else this.#heard.downTime.release(this.#heard.breaker.open?.since, now);
  }

  get isHeld(): boolean {
    return this.#heard.downTime.isHeld;
  }

  /**
   * @returns the error for all waiting requests when the service is down for too long; undefined while waiting may go
   *   on.
   */
  lostPatience(patience: OutagePatience): ServiceDownError | undefined {
    return outageFailure(this.#heard, this.#heard.downTime, this.#clock.ticks(), patience);
  }

  /** Milliseconds. Infinity: until the hold is released, or until an answer comes where the quota is used up. */
  #pauseMs(now: number): number {
    if (this.isHeld) return Number.POSITIVE_INFINITY;
    const isRealtime = this.#isDepositNext();
    return Math.max(this.#heard.pause.leftMs(now, isRealtime), this.#learned?.waitMs(now, isRealtime) ?? 0);
  }
}
