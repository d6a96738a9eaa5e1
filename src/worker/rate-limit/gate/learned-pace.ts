import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Lane } from "../../../messages/lane.ts";
import {
  isUnsent,
  LoadRefusedError,
  RateLimitedError,
  RefusedAgainError,
  UnauthorizedError,
  UnavailableError,
} from "../../answers/service-errors.ts";
import type { Slots } from "../../ports.ts";
import type { Pacer } from "../learner/pacer.ts";
import type { Flight } from "../learner/sending-order.ts";
import { LONGEST_WAIT_MS } from "./pause.ts";

/** A change of the learned rate by more than this share is logged. */
const NEWS = 0.1;
/** A 503 that asks for this wait or longer means maintenance or a restart, and no rate limit. Milliseconds. Chosen. */
const MAINTENANCE_MS = 5_000;

export interface LearnedPaceDeps {
  readonly pacer: Pacer;
  readonly slots: Pick<Slots, "pace">;
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
}

/** Reports the outcome of each request to the pacer, and passes the learned pace on to the rate limiter. */
export class LearnedPace {
  readonly #deps: LearnedPaceDeps;
  /** The rate that was logged last. */
  #toldPerSecond: number;

  constructor(deps: LearnedPaceDeps) {
    this.#deps = deps;
    this.#toldPerSecond = deps.pacer.learned?.perSecond ?? 0;
    deps.slots.pace(deps.pacer.minTimeMs);
  }

  get isUsedUp(): boolean {
    return this.#deps.pacer.isUsedUp;
  }

  /** Milliseconds until the pacer lets the next request leave. */
  waitMs(now: number, isUrgent: boolean): number {
    return this.#deps.pacer.waitMs(now, isUrgent);
  }

  /** A request is sent. @param lane undefined for a health probe. */
  sent(lane: Lane | undefined): Flight {
    return this.#deps.pacer.sent(this.#deps.clock.ticks(), lane);
  }

  /**
   * Reports how a request ended. A request that was not sent, or got no answer, says nothing about the pace. A service
   * may answer 5xx, or refuse a key, before it counts the request.
   *
   * @param wasDown whether the service was down until now.
   */
  ended(flight: Flight, thrown: unknown, wasDown: boolean): void {
    const { pacer, slots, clock, log } = this.#deps;
    const now = clock.ticks();
    if (isUnsent(thrown) || isMaintenance(thrown) || thrown instanceof RefusedAgainError) pacer.undecided(flight);
    else if (thrown instanceof RateLimitedError) pacer.refused(flight, now, toldMs(thrown));
    else if (thrown === undefined) {
      if (wasDown) pacer.restart(now);
      pacer.taken(flight, now);
    } else if (!(thrown instanceof AppError) || isUnanswered(thrown)) pacer.undecided(flight);
    else if (thrown instanceof UnavailableError || thrown instanceof UnauthorizedError) pacer.failed(flight, now);
    else pacer.taken(flight, now);
    slots.pace(pacer.minTimeMs);
    const perSecond = pacer.learned?.perSecond ?? 0;
    if (Math.abs(perSecond - this.#toldPerSecond) <= NEWS * this.#toldPerSecond) return;
    this.#toldPerSecond = perSecond;
    log.info("Weir has learned the quota", { requestsPerSecond: Number(perSecond.toPrecision(3)) });
  }
}

/** A 503 that asks for a long wait says nothing about the pace. */
function isMaintenance(thrown: unknown): boolean {
  return thrown instanceof LoadRefusedError && toldMs(thrown) >= MAINTENANCE_MS;
}

function toldMs({ retryAfterMs = 0 }: RateLimitedError): number {
  return Math.min(LONGEST_WAIT_MS, retryAfterMs);
}

function isUnanswered(error: AppError): boolean {
  return error instanceof UnavailableError && error.context["status"] === undefined;
}
