import type { Leaving } from "./leaving.ts";
import {
  type Claim,
  type LaterLane,
  type RequestLane,
  requestLaneOf,
  requestLanes,
  type Turn,
  turnOf,
} from "./pace/turn.ts";
import { WithdrawnError } from "./pace/withdrawn-error.ts";

/** One event that waits for an answer. */
interface Waiter<T> extends PromiseWithResolvers<T> {
  /** Puts the question anew. */
  readonly askAgain: () => Promise<T>;
}

interface InFlight<T> {
  readonly turn: Turn;
  /** An event that leaves is let go of at once: a question may wait for hours, and thousands of events ask it meanwhile. */
  readonly waiters: Set<Waiter<T>>;
  /** How many of these wait in each lane. */
  readonly waiting: Record<RequestLane, number>;
}

/** The line in which questions wait for their slots. */
export interface QuestionLine {
  /** One more event asks the question of `turn`. */
  join(turn: Turn, claim: Claim): void;
  /** Nothing waits for the question any more. @returns whether it left the line; not when it is on its way. */
  withdraw(turn: Turn): boolean;
  /** No event waits for the question by a deadline from now on. */
  demote(turn: Turn, to: LaterLane): void;
}

/** An event that asks, and leaves when it is overdue. */
export interface Asking extends Claim {
  /** Absent where an event waits without an end. */
  readonly leaving?: Leaving | undefined;
}

/** Joins equal questions that are open at once: one request answers every event that asks. */
export class Coalescer<T> {
  readonly #inFlight = new Map<string, InFlight<T>>();
  readonly #line: QuestionLine;

  constructor(line: QuestionLine) {
    this.#line = line;
  }

  /** @throws {WithdrawnError} when the event leaves; what `ask` throws. */
  ask(key: string, claim: Asking, ask: (turn: Turn) => Promise<T>): Promise<T> {
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

  #begin(key: string, claim: Claim, ask: (turn: Turn) => Promise<T>): InFlight<T> {
    const turn = turnOf(claim);
    const asked: InFlight<T> = { turn, waiters: new Set(), waiting: { realtime: 0, overdue: 0, late: 0, backfill: 0 } };
    this.#inFlight.set(key, asked);
    ask(turn).then(
      (answer) => {
        this.#forget(key, asked);
        for (const { resolve } of asked.waiters) resolve(answer);
      },
      (thrown: unknown) => {
        this.#forget(key, asked);
        // The question may have been given up a moment before one more event joined it.
        const isGivenUp = thrown instanceof WithdrawnError;
        for (const { resolve, reject, askAgain } of asked.waiters) isGivenUp ? resolve(askAgain()) : reject(thrown);
      },
    );
    return asked;
  }

  /** An event is overdue. A question of none goes, so that no slot is spent on it. */
  #leave(key: string, asked: InFlight<T>, waiter: Waiter<T>, claim: Claim): void {
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
