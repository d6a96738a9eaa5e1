import type { RouteName } from "../../../../api/routes.ts";
import type { AppError } from "../../../../kernel/errors.ts";
import { LoadRefusedError, type RateLimitedError, UnavailableError } from "../../../answers/service-errors.ts";
import { RefusalsInARow } from "./refusals-in-a-row.ts";

/** A refusal for load comes before any work is done. Chosen: a slow line and a busy process included, milliseconds. */
const AT_ONCE_MS = 1_000;
/** Others count as answered for this long after the last answer, and for so many of the usual gaps, milliseconds. */
const ANSWERED_MS = 5_000;
const ANSWERED_GAPS = 3;
const LONGEST_ANSWERED_MS = 60_000;
/**
 * An operation is down itself once one in so many is refused as often in a row for load (`RefusalsInARow`). Chosen: ten
 * refusals, where each comes after one answer to another operation.
 */
const DOWN_ONE_IN = 1_000_000;
/** The bound for refusals that announce a wait: the worker waits after each. Chosen: three of them. */
const DOWN_TOLD_ONE_IN = 50;

/**
 * Tells a 503, or an envelope that may refuse for load, from one of an outage, by what becomes of other requests: for load it comes at once, while
 * others are answered. Times are milliseconds on a monotonic clock.
 */
export class LoadSigns {
  readonly #inARow = new RefusalsInARow<RouteName>();
  #answers = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #gapMs = 0;

  /** A request was answered, if only with a refusal of what it asked. */
  answered(route: RouteName, now: number): void {
    this.#answers++;
    this.#gapMs = Number.isFinite(this.#answeredAt) ? now - this.#answeredAt : 0;
    this.#answeredAt = now;
    this.#inARow.answered([route]);
  }

  /** A request failed. @returns what with: LoadRefusedError where it was refused for load. */
  judge(error: UnavailableError, route: RouteName, sentAt: number, now: number): AppError {
    if (!error.mayBeLoad || !this.#answersOthers(now)) return error;
    const isTold = error.retryAfterMs !== undefined;
    if (!isTold && now - sentAt > AT_ONCE_MS) return error;
    const ownOneIn = isTold ? DOWN_TOLD_ONE_IN : DOWN_ONE_IN;
    return this.#inARow.refused(route, this.#answers, ownOneIn).isOwn
      ? ownFailure(error)
      : new LoadRefusedError(error.message, error.retryAfterMs, error.status);
  }

  #answersOthers(now: number): boolean {
    const usualMs = Math.min(LONGEST_ANSWERED_MS, ANSWERED_GAPS * this.#gapMs);
    return now - this.#answeredAt <= Math.max(ANSWERED_MS, usualMs);
  }
}

/** The refusal as a failure of its own request, without a wait for other requests. */
export function ownFailure(refusal: UnavailableError | RateLimitedError): UnavailableError {
  return new UnavailableError(refusal.message, { status: refusal.status });
}
