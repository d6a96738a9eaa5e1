import type { Random } from "../../../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../../../kernel/retry.ts";
import { RateLimitedError, RefusedAgainError, UnavailableError } from "../../../answers/service-errors.ts";
import { ownFailure } from "./load-signs.ts";
import { type InARow, RefusalsInARow } from "./refusals-in-a-row.ts";

/**
 * Load refuses one event in so many as often in a row: then the row passes for one of the event's own. Chosen: such an event
 * has four attempts more, each of which load would have to refuse as well.
 */
const OWN_ONE_IN = 3_000;
/** Events that are remembered. Chosen: more than wait for their next request at once. */
const REMEMBERED = 10_000;
/**
 * Waits of an event that is refused again. Chosen: a first one as after a 429 that does not say how long, and a longest
 * one that leaves a quota unused for little where such events are all that is left.
 */
const AGAIN: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 10_000 };
/** An announced wait passes for no standstill of a worker, which ends after three minutes. */
const LONGEST_ANNOUNCED_MS = 60_000;

/**
 * Finds the events that a service, or a firewall before it, refuses with 503 or the like while others are answered. Refusals
 * for load cost no attempt, so such an event would be asked for ever and would slow down all others.
 *
 * The first refusal of an event counts as one for load. Refused again, with answers to others in between, the event waits
 * by itself: under load other events are refused for the first time, and these slow down all. The event itself is at fault
 * once load hardly ever refuses an event so often in a row (`RefusalsInARow`).
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
    const isOfLoad = thrown instanceof RateLimitedError && thrown.status !== 429;
    if (!(isAnnounced || isOfLoad)) return thrown;
    const { refusals, isOwn } = this.#worst(events, answers);
    if (isOwn) return ownFailure(thrown);
    return isOfLoad && refusals > 1 ? new RefusedAgainError(thrown, this.#waitMs(thrown, refusals)) : thrown;
  }

  /** A request about `events` was answered. */
  answered(events: Iterable<string>): void {
    // Nearly always nothing is remembered.
    if (!this.#inARow.isEmpty) this.#inARow.answered(events);
  }

  /** Of the events in one request, each by itself: the most refusals, and whether one is refused for itself. */
  #worst(events: Iterable<string>, answers: number): InARow {
    let refusals = 1;
    let isOwn = false;
    for (const event of events) {
      const row = this.#inARow.refused(event, answers, OWN_ONE_IN);
      refusals = Math.max(refusals, row.refusals);
      isOwn ||= row.isOwn;
    }
    return { refusals, isOwn };
  }

  #waitMs({ retryAfterMs }: RateLimitedError, refusals: number): number {
    return retryAfterMs ? Math.min(LONGEST_ANNOUNCED_MS, retryAfterMs) : backoffMs(AGAIN, refusals, this.#random);
  }
}
