import type { Clock } from "../../../kernel/clock.ts";
import type { ServiceDownError } from "../../answers/service-errors.ts";
import type { Passage } from "../breaker/breaker.ts";
import type { LearnedPace } from "./learned-pace.ts";
import { lostPatience, type OutagePatience } from "./lost-patience.ts";
import type { ResponseTracker } from "./response-tracker.ts";

interface BarrierDeps {
  readonly clock: Pick<Clock, "ticks">;
  /** Whether a deposit is among those who wait: what passes is its. */
  readonly isDepositNext: () => boolean;
}

/** What keeps everything from being sent, whoever wants to: a pause, the breaker, or whoever has no room for answers. */
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

  /** As of the gate. */
  get closed(): "unauthorized" | "failing" | "rate limited" | undefined {
    const { breaker, pause } = this.#heard;
    if (breaker.open !== undefined) return breaker.open.cause;
    const isPaused = pause.leftMs(this.#clock.ticks()) > 0;
    return isPaused || this.#learned?.isUsedUp === true ? "rate limited" : undefined;
  }

  /** Whether only realtime events may pass: the service asked for a longer wait than they keep to. */
  get holdsBackfill(): boolean {
    return this.#heard.pause.leftMs(this.#clock.ticks()) > 0;
  }

  /** How long everything waits, slots aside. */
  get waitMs(): number {
    const now = this.#clock.ticks();
    return Math.max(this.#pauseMs(now), this.#heard.breaker.waitMs(now));
  }

  /** Undefined: nothing passes. */
  pass(): Passage | undefined {
    const now = this.#clock.ticks();
    return this.#pauseMs(now) > 0 ? undefined : this.#heard.breaker.pass(now);
  }

  /** As of the gate. */
  hold(isHeld: boolean): void {
    const now = this.#clock.ticks();
    if (isHeld) this.#heard.downTime.hold(now);
    else this.#heard.downTime.release(this.#heard.breaker.open?.since, now);
  }

  get isHeld(): boolean {
    return this.#heard.downTime.isHeld;
  }

  /** What whoever waits is told of a service that is down; undefined: he goes on waiting. */
  lostPatience(patience: OutagePatience): ServiceDownError | undefined {
    return lostPatience(this.#heard, this.#heard.downTime, this.#clock.ticks(), patience);
  }

  /** Infinity: until an answer comes. */
  #pauseMs(now: number): number {
    // Or until there is room for one.
    if (this.isHeld) return Number.POSITIVE_INFINITY;
    const isRealtime = this.#isDepositNext();
    return Math.max(this.#heard.pause.leftMs(now, isRealtime), this.#learned?.waitMs(now, isRealtime) ?? 0);
  }
}
