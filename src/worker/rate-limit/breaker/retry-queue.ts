import type { Clock } from "../../../kernel/clock.ts";
import type { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { UnavailableError } from "../../answers/service-errors.ts";
import type { Waiter } from "../queue/waiter.ts";
import { Alarm } from "./alarm.ts";
import { RetryBudget, type RetryKind } from "./retry-budget.ts";

/** Longest wait of a realtime retry, in milliseconds. Chosen: as long as the first retry ticket would take. */
const REALTIME_MS = 10_000;
/** Interval at which waiting retries are checked in any case, in milliseconds. */
const LOOK_MS = 1_000;

/** The waiters of one failed request that is to be retried. Waiters may be added, and may change their lane. */
export type RepeatedRequest = Iterable<Pick<Waiter, "lane" | "isAbandoned">>;

interface Repetition {
  readonly kind: RetryKind;
  readonly of: RepeatedRequest;
  /** When the retry began to wait, milliseconds of `ticks`. */
  readonly since: number;
  readonly go: () => void;
  readonly fail: (reason: unknown) => void;
}

export interface RetryQueueDeps {
  readonly clock: Pick<Clock, "ticks" | "sleep">;
  readonly log: Log;
  /** Ends all waits, with its reason. */
  readonly signal: AbortSignal;
  /** Whether a request waits for a permit. */
  readonly isAnyoneNext: () => boolean;
}

/**
 * Holds the retries that the budget does not cover. The budget bounds the requests, and ends no event's attempts. The
 * retries go in the order in which they came, as answers bring tokens back. Three kinds of retries are free:
 *
 * - A retry when no request is in flight and no other request is queued. One retry at a time harms no service, and only
 *   an answer brings tokens back.
 * - A realtime retry, once it has waited for as long as a retry ticket would take. Its event may be overdue by then,
 *   and more events come every second. Backfill retries wait on, because the events in flight bound their number.
 * - A retry that no event needs any more, because no request follows.
 */
export class RetryQueue {
  readonly #deps: RetryQueueDeps;
  readonly #budget = new RetryBudget();
  readonly #alarm: Alarm;
  readonly #waiting = new Set<Repetition>();
  #onTheWay = 0;
  /** Whether a free retry was released and has not been sent yet. */
  #isOneGoing = false;
  #isTold = false;

  constructor(deps: RetryQueueDeps) {
    this.#deps = deps;
    this.#alarm = new Alarm(deps.clock, deps.signal, () => this.#lookAtAll());
    deps.signal.addEventListener("abort", () => this.#abandon(), { once: true });
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Pays for an immediate retry after `error`, if the budget covers it. No waiting retry is passed over. */
  spend(error: AppError): boolean {
    return this.#waiting.size === 0 && this.#budget.spend(kindOf(error));
  }

  /** Resolves when a retry after `error` may be made. @throws the signal's reason. */
  async wait(error: AppError, of: RepeatedRequest): Promise<void> {
    const { clock, signal } = this.#deps;
    signal.throwIfAborted();
    if (this.spend(error)) return;
    const { promise, resolve: go, reject: fail } = Promise.withResolvers<void>();
    this.#waiting.add({ kind: kindOf(error), of, since: clock.ticks(), go, fail });
    this.#tell();
    this.look();
    await promise;
  }

  sent(): void {
    this.#onTheWay++;
    this.#isOneGoing = false;
  }

  /** A request has an answer, or failed. */
  ended(): void {
    this.#onTheWay--;
  }

  answered(): void {
    this.#budget.answered();
    for (const first of this.#waiting) {
      if (!this.#budget.spend(first.kind)) return;
      this.#letGo(first);
    }
    if (this.#budget.isFull) this.#isTold = false;
  }

  /** Releases the first retry if no request is in flight. */
  look(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    if (this.#onTheWay === 0 && !this.#isOneGoing && !this.#deps.isAnyoneNext()) {
      this.#isOneGoing = true;
      this.#letGo(first);
    }
    this.#alarm.set(this.#deps.clock.ticks() + LOOK_MS);
  }

  #lookAtAll(): void {
    const now = this.#deps.clock.ticks();
    for (const each of this.#waiting) {
      const isDue = now - each.since >= REALTIME_MS && isRealtime(each.of);
      if (isDue || isAbandoned(each.of)) this.#letGo(each);
    }
    // A released retry may never be sent, because no event needs it any more.
    this.#isOneGoing = false;
    this.look();
  }

  #letGo(repetition: Repetition): void {
    this.#waiting.delete(repetition);
    repetition.go();
  }

  #abandon(): void {
    for (const { fail } of this.#waiting) fail(this.#deps.signal.reason);
    this.#waiting.clear();
  }

  #tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#deps.log.warn("too many requests fail: Weir repeats requests only after other requests succeed");
  }
}

function kindOf(error: AppError): RetryKind {
  return error instanceof UnavailableError && error.isTimeout ? "timeout" : "failure";
}

function isRealtime(of: RepeatedRequest): boolean {
  for (const { lane } of of) if (lane === "realtime") return true;
  return false;
}

function isAbandoned(of: RepeatedRequest): boolean {
  for (const turn of of) if (turn.isAbandoned !== true) return false;
  return true;
}
