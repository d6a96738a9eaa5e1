import { backoffMs, type Random, type RetryPolicy } from "../../../../kernel/retry.ts";
import { RateLimitedError, RefusedAgainError, UnavailableError } from "../../../answers/service-errors.ts";
import { ownFailure } from "./load-signs.ts";
import { type InARow, RefusalsInARow } from "./refusals-in-a-row.ts";

/**
 * Load refuses one event in this many as often in a row. A less probable row counts as the event's own fault. Chosen:
 * such an event has four more attempts, and load would have to refuse each.
 */
const OWN_ONE_IN = 3_000;
/** Number of events that are remembered. Chosen: more than wait for their next request at once. */
const REMEMBERED = 10_000;
/**
 * Waits of an event that is refused again. Chosen: the first wait is as after a 429 without Retry-After. The longest
 * wait leaves little of a quota unused where only such events are left.
 */
const AGAIN: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, maxMs: 10_000 };
/** Longest announced wait, in milliseconds. It stays below the three minutes after which a worker counts as stalled. */
const LONGEST_ANNOUNCED_MS = 60_000;

/**
 * Finds events that a service, or a firewall before it, refuses with 503 or a similar status while it answers others.
 * Refusals for load cost no attempt. Without this check, such an event would be asked about for ever, and would slow
 * down all others.
 *
 * The first refusal of an event counts as a refusal for load. An event that is refused again, with answers to others in
 * between, waits by itself. Under real load other events are refused for the first time, and those refusals slow down
 * all. The event itself is at fault once load hardly ever refuses an event so often in a row (`RefusalsInARow`).
 */
export class LoadRefusals {
  readonly #inARow = new RefusalsInARow<string>(REMEMBERED);
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Classifies the failure of a request about `events`.
   *
   * @param answers requests that were answered so far.
   * @returns the error to act on.
   */
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
    // Nearly always no event is remembered.
    if (!this.#inARow.isEmpty) this.#inARow.answered(events);
  }

  /** The highest count of refusals among the events of one request, and whether one event is itself at fault. */
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
