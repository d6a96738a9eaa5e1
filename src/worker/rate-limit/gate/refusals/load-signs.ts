import type { RouteName } from "../../../../api/routes.ts";
import type { AppError } from "../../../../kernel/errors.ts";
import { LoadRefusedError, type RateLimitedError, UnavailableError } from "../../../answers/service-errors.ts";
import { RefusalsInARow } from "./refusals-in-a-row.ts";

/**
 * A refusal for load comes before any work is done, within this time in milliseconds. Chosen: a slow network and a busy
 * process are included.
 */
const AT_ONCE_MS = 1_000;
/**
 * Other requests count as answered for this many milliseconds after the last answer. With rare answers the time is
 * ANSWERED_GAPS times the last gap between answers, up to LONGEST_ANSWERED_MS.
 */
const ANSWERED_MS = 5_000;
const ANSWERED_GAPS = 3;
const LONGEST_ANSWERED_MS = 60_000;
/**
 * An operation counts as down when load refuses one in this many as often in a row (`RefusalsInARow`). Chosen: ten
 * refusals, each after one answer to another operation.
 */
const DOWN_ONE_IN = 1_000_000;
/** The limit for refusals that announce a wait, since the worker waits after each. Chosen: three such refusals. */
const DOWN_TOLD_ONE_IN = 50;

/**
 * Distinguishes a refusal for load from an outage, for a 503 and for an envelope that may refuse for load. A refusal
 * for load comes at once, while other requests are answered. Times are milliseconds on a monotonic clock.
 */
export class LoadSigns {
  readonly #inARow = new RefusalsInARow<RouteName>();
  #answers = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #gapMs = 0;

  /** A request was answered. An answer that rejects the question counts, too. */
  answered(route: RouteName, now: number): void {
    this.#answers++;
    this.#gapMs = Number.isFinite(this.#answeredAt) ? now - this.#answeredAt : 0;
    this.#answeredAt = now;
    this.#inARow.answered([route]);
  }

  /** A request failed. @returns the error to act on: LoadRefusedError for a refusal for load. */
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

/** The refusal as a failure of its own request. Other requests do not wait for it. */
export function ownFailure(refusal: UnavailableError | RateLimitedError): UnavailableError {
  return new UnavailableError(refusal.message, { status: refusal.status });
}
