import { WithdrawnError } from "../rate-limit/gate/withdrawn-error.ts";
import {
  type LaterLane,
  type Requester,
  type RequestLane,
  requestLaneOf,
  requestLanes,
  type Waiter,
  waiterOf,
} from "../rate-limit/queue/waiter.ts";
import type { Cancellation } from "./cancellation.ts";

/** One event that waits for an answer. */
interface PendingAnswer<T> extends PromiseWithResolvers<T> {
  /** Asks the question anew. */
  readonly askAgain: () => Promise<T>;
}

interface InFlight<T> {
  readonly turn: Waiter;
  /**
   * An event that leaves is removed at once: a question may wait for hours, and thousands of events ask it in that
   * time.
   */
  readonly waiters: Set<PendingAnswer<T>>;
  /** Number of waiting events per lane. */
  readonly waiting: Record<RequestLane, number>;
}

/** The queue in which questions wait for their permits. */
export interface QuestionLine {
  /** Adds an event to the question of `turn`. */
  join(turn: Waiter, claim: Requester): void;
  /**
   * No event waits for the question any more.
   *
   * @returns whether the question left the queue. It does not leave while its request is in flight.
   */
  withdraw(turn: Waiter): boolean;
  /** No event waits for the question by a deadline from now on. */
  demote(turn: Waiter, to: LaterLane): void;
}

/** An event that asks, and leaves when it is overdue. */
export interface CancellableRequester extends Requester {
  /** Absent when the event has no deadline. */
  readonly leaving?: Cancellation | undefined;
}

/** Joins equal questions that are open at the same time. One request answers every event. */
export class Coalescer<T> {
  readonly #inFlight = new Map<string, InFlight<T>>();
  readonly #line: QuestionLine;

  constructor(line: QuestionLine) {
    this.#line = line;
  }

  /**
   * @throws {WithdrawnError} when the event leaves.
   * @throws the error of `ask`.
   */
  ask(key: string, claim: CancellableRequester, ask: (turn: Waiter) => Promise<T>): Promise<T> {
    const known = this.#inFlight.get(key);
    if (known !== undefined) {
      this.#line.join(known.turn, claim);
      known.turn.isAbandoned = false;
    }
    const asked = known ?? this.#begin(key, claim, ask);
    const waiter = { ...Promise.withResolvers<T>(), askAgain: () => this.ask(key, claim, ask) };
    asked.waiters.add(waiter);
    asked.waiting[requestLaneOf(claim)]++;
    claim.leaving?.onLeave(() => this.#leave(key, asked, waiter, claim));
    return waiter.promise;
  }

  #begin(key: string, claim: Requester, ask: (turn: Waiter) => Promise<T>): InFlight<T> {
    const turn = waiterOf(claim);
    const asked: InFlight<T> = { turn, waiters: new Set(), waiting: { realtime: 0, overdue: 0, late: 0, backfill: 0 } };
    this.#inFlight.set(key, asked);
    ask(turn).then(
      (answer) => {
        this.#forget(key, asked);
        for (const { resolve } of asked.waiters) resolve(answer);
      },
      (thrown: unknown) => {
        this.#forget(key, asked);
        // The question may have been withdrawn just before another event joined it.
        const isGivenUp = thrown instanceof WithdrawnError;
        for (const { resolve, reject, askAgain } of asked.waiters) isGivenUp ? resolve(askAgain()) : reject(thrown);
      },
    );
    return asked;
  }

  /** An event is overdue. A question without events is withdrawn, so that it takes no permit. */
  #leave(key: string, asked: InFlight<T>, waiter: PendingAnswer<T>, claim: Requester): void {
    if (this.#inFlight.get(key) !== asked || !asked.waiters.delete(waiter)) return;
    waiter.reject(new WithdrawnError());
    const { waiting } = asked;
    waiting[requestLaneOf(claim)]--;
    const isWaitedFor = asked.waiters.size > 0;
    if (!isWaitedFor && this.#line.withdraw(asked.turn)) this.#forget(key, asked);
    else this.#demote(asked);
    // On its way it may be answered still; what failed is not asked again for nothing.
    if (!isWaitedFor) asked.turn.isAbandoned = true;
  }

  /** A question that no event of its lane asks any more goes to the lane of those that do. */
  #demote({ turn, waiting }: InFlight<T>): void {
    const lane = requestLanes.find((each) => waiting[each] > 0) ?? "late";
    // In its own lane it keeps its place: events may leave one after the other.
    if (lane !== "realtime" && lane !== turn.lane) this.#line.demote(turn, lane);
  }

  #forget(key: string, asked: InFlight<T>): void {
    if (this.#inFlight.get(key) === asked) this.#inFlight.delete(key);
  }
}
