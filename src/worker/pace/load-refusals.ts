import { RateLimitedError, UnavailableError } from "../service-errors.ts";
import { ownFailure } from "./load-signs.ts";
import { RefusalsInARow } from "./refusals-in-a-row.ts";

/** Refusals of one event, with answers to others in between, after which nothing but the event is refused. Chosen. */
const MOST = 3;
/** Events that are remembered. Chosen: more than wait for their next request at once. */
const REMEMBERED = 10_000;
/** Statuses of refusals for load that may be about one event: a backend or a firewall refuses that event alone. */
const perEvent: ReadonlySet<number> = new Set([403, 503]);

/**
 * Finds the events that a service, or a firewall before it, answers with 503 or 403 while others are answered. Refusals for load cost no attempt, so such an
 * event would be asked for ever and would slow down all others.
 */
export class LoadRefusals {
  readonly #inARow = new RefusalsInARow<string>(REMEMBERED);

  /** What a request about `events` failed with. @param answers requests that were answered so far. */
  judge(thrown: unknown, events: Iterable<string>, answers: number): unknown {
    const isAnnounced = thrown instanceof UnavailableError && thrown.retryAfterMs !== undefined;
    const isOfLoad = thrown instanceof RateLimitedError && perEvent.has(thrown.status);
    if (!(isAnnounced || isOfLoad)) return thrown;
    let isOwn = false;
    for (const event of events) isOwn = this.#inARow.refused(event, answers) > MOST || isOwn;
    return isOwn ? ownFailure(thrown) : thrown;
  }

  /** A request about `events` was answered. */
  answered(events: Iterable<string>): void {
    // Nearly always nothing is remembered.
    if (!this.#inARow.isEmpty) for (const event of events) this.#inARow.answered(event);
  }
}
