import type { Random } from "../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../kernel/retry.ts";
import { RateLimitedError, RefusedAgainError, UnavailableError } from "../service-errors.ts";
import { ownFailure } from "./load-signs.ts";
import { RefusalsInARow } from "./refusals-in-a-row.ts";

/** Refusals of one event, with answers to others in between, after which nothing but the event is refused. Chosen. */
const MOST = 3;
/** Events that are remembered. Chosen: more than wait for their next request at once. */
const REMEMBERED = 10_000;
/** Statuses of refusals for load that may be about one event: a backend or a firewall refuses that event alone. */
const perEvent: ReadonlySet<number> = new Set([403, 503]);
/**
 * Waits of an event that is refused again. Chosen: a first one as after a 429 that does not say how long; the longest passes
 * for no standstill of a worker, which ends after three minutes.
 */
const AGAIN: RetryPolicy = { attempts: MOST, baseMs: 500, maxMs: 60_000 };

/**
 * Finds the events that a service, or a firewall before it, answers with 503 or 403 while others are answered. Refusals for
 * load cost no attempt, so such an event would be asked for ever and would slow down all others.
 *
 * The first refusal of an event counts as one for load. Refused again, with answers to others in between, the event waits
 * by itself: under load other events are refused for the first time, and these slow down all.
 */
export class LoadRefusals {
  readonly #inARow = new RefusalsInARow<string>(REMEMBERED);
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** What a request about `events` failed with. @param answers requests that were answered so far. */
  judge(thrown: unknown, events: Iterable<string>, answers: number): unknown {
    const isAnnounced = thrown instanceof UnavailableError && thrown.retryAfterMs !== undefined;
    const isOfLoad = thrown instanceof RateLimitedError && perEvent.has(thrown.status);
    if (!(isAnnounced || isOfLoad)) return thrown;
    let most = 0;
    for (const event of events) most = Math.max(most, this.#inARow.refused(event, answers));
    if (most > MOST) return ownFailure(thrown);
    return isOfLoad && most > 1 ? new RefusedAgainError(thrown, this.#waitMs(thrown, most)) : thrown;
  }

  /** A request about `events` was answered. */
  answered(events: Iterable<string>): void {
    // Nearly always nothing is remembered.
    if (!this.#inARow.isEmpty) for (const event of events) this.#inARow.answered(event);
  }

  #waitMs({ retryAfterMs }: RateLimitedError, refusals: number): number {
    return Math.min(AGAIN.maxMs, retryAfterMs || backoffMs(AGAIN, refusals, this.#random));
  }
}
