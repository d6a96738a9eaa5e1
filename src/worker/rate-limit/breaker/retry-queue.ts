import type { Clock } from "../../../kernel/clock.ts";
import type { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { UnavailableError } from "../../answers/service-errors.ts";
import type { Waiter } from "../queue/waiter.ts";
import { Alarm } from "./alarm.ts";
import { RetryBudget, type RetryKind } from "./retry-budget.ts";

/** How long a repetition waits at most that anybody wants in realtime. Chosen: as long as the first ticket would take. */
const REALTIME_MS = 10_000;
/** How often who waits is looked at, whatever happens. */
const LOOK_MS = 1_000;

/** For whom one failed request is to be repeated: all of them, or whoever is left. May grow, and change its lane. */
export type Repeated = Iterable<Pick<Waiter, "lane" | "isAbandoned">>;

interface Repetition {
  readonly kind: RetryKind;
  readonly of: Repeated;
  /** Since when it waits. */
  readonly since: number;
  readonly go: () => void;
  readonly fail: (reason: unknown) => void;
}

export interface RetryLineDeps {
  readonly clock: Pick<Clock, "ticks" | "sleep">;
  readonly log: Log;
  /** Ends the waiting of all, with its reason. */
  readonly signal: AbortSignal;
  /** Whether somebody waits for a slot. */
  readonly isAnyoneNext: () => boolean;
}

/**
 * Where repetitions wait that the budget does not pay for: it is there to bound what is sent, not to end anybody's
 * attempts. First come, first served, as answers bring tokens back. Three go for nothing:
 *
 * - one, when nothing is on its way and nobody else is next: one at a time harms no service, and who would bring tokens?
 * - what is wanted in realtime, once it has waited for as long as a ticket would have taken. Whoever asked may be overdue
 *   by then, and more come every second. What the backfill waits for is in flight, and bounded with that;
 * - what nothing waits for any more: no request follows.
 */
export class RetryQueue {
  readonly #deps: RetryLineDeps;
  readonly #budget = new RetryBudget();
  readonly #alarm: Alarm;
  readonly #waiting = new Set<Repetition>();
  #onTheWay = 0;
  /** Whether one went for nothing that has not been sent yet. */
  #isOneGoing = false;
  #isTold = false;

  constructor(deps: RetryLineDeps) {
    this.#deps = deps;
    this.#alarm = new Alarm(deps.clock, deps.signal, () => this.#lookAtAll());
    deps.signal.addEventListener("abort", () => this.#abandon(), { once: true });
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Pays for a repetition of what failed so, if that can be done at once: nobody who waits is passed over. */
  spend(error: AppError): boolean {
    return this.#waiting.size === 0 && this.#budget.spend(kindOf(error));
  }

  /** Resolves when what failed so may be repeated. @throws the signal's reason. */
  async wait(error: AppError, of: Repeated): Promise<void> {
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

  /** What was sent has an answer, or none. */
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

  /** It may be quiet now. */
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
    // It was asked by nobody any more.
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
    this.#deps.log.warn("so many requests fail that repeating them waits, until others are answered");
  }
}

function kindOf(error: AppError): RetryKind {
  return error instanceof UnavailableError && error.isTimeout ? "timeout" : "failure";
}

function isRealtime(of: Repeated): boolean {
  for (const { lane } of of) if (lane === "realtime") return true;
  return false;
}

function isAbandoned(of: Repeated): boolean {
  for (const turn of of) if (turn.isAbandoned !== true) return false;
  return true;
}
