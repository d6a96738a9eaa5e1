import type { RouteName } from "../../contract/routes.ts";
import type { AppError } from "../../kernel/errors.ts";
import { LoadRefusedError, RateLimitedError, UnavailableError } from "../service-errors.ts";
import { RefusalsInARow } from "./refusals-in-a-row.ts";

/** A refusal for load comes before any work is done. Chosen: a slow line and a busy process included, milliseconds. */
const AT_ONCE_MS = 1_000;
/** Others count as answered for this long after the last answer, and for so many of the usual gaps, milliseconds. */
const ANSWERED_MS = 5_000;
const ANSWERED_GAPS = 3;
const LONGEST_ANSWERED_MS = 60_000;
/**
 * One operation that is refused so often in a row, with answers to others in between, is down itself. Chosen: with half of
 * all requests refused that is one time in a thousand.
 */
const MOST_IN_A_ROW = 10;
/** As many refusals that announce a wait, after each of which the worker waited, mean that the operation is down. Chosen. */
const MOST_TOLD_IN_A_ROW = 3;

/**
 * Tells a 503 that refuses for load from one of an outage, by what becomes of other requests: for load it comes at once, while
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
    this.#inARow.answered(route);
  }

  /** A request failed. @returns what with: LoadRefusedError where it was refused for load. */
  judge(error: UnavailableError, route: RouteName, sentAt: number, now: number): AppError {
    if (error.context["status"] !== 503 || !this.#answersOthers(now)) return error;
    const isTold = error.retryAfterMs !== undefined;
    if (!isTold && now - sentAt > AT_ONCE_MS) return error;
    const isOwn = this.#inARow.refused(route, this.#answers) > (isTold ? MOST_TOLD_IN_A_ROW : MOST_IN_A_ROW);
    return isOwn ? ownFailure(error) : new LoadRefusedError(error.message, error.retryAfterMs);
  }

  #answersOthers(now: number): boolean {
    const usualMs = Math.min(LONGEST_ANSWERED_MS, ANSWERED_GAPS * this.#gapMs);
    return now - this.#answeredAt <= Math.max(ANSWERED_MS, usualMs);
  }
}

/** The refusal as a failure of its own request, without a wait for other requests. */
export function ownFailure(refusal: UnavailableError | RateLimitedError): UnavailableError {
  const status = refusal instanceof RateLimitedError ? refusal.status : 503;
  return new UnavailableError(refusal.message, { status });
}
