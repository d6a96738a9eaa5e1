import type { Leaving } from "./leaving.ts";
import { type Claim, type RequestLane, requestLaneOf, type Turn, turnOf } from "./pace/turn.ts";
import { WithdrawnError } from "./pace/withdrawn-error.ts";

interface InFlight<T> {
  readonly turn: Turn;
  readonly answer: Promise<T>;
  /** Events that wait for the answer, by the lane in which they do. */
  readonly waiting: Record<RequestLane, number>;
}

/** The line in which questions wait for their slots. */
export interface QuestionLine {
  /** One more event asks the question of `turn`. */
  join(turn: Turn, claim: Claim): void;
  /** Nothing waits for the question any more. @returns whether it left the line; not when it is on its way. */
  withdraw(turn: Turn): boolean;
  /** No event waits for the question by a deadline from now on. */
  demote(turn: Turn, to: "late" | "backfill"): void;
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

  ask(key: string, claim: Asking, ask: (turn: Turn) => Promise<T>): Promise<T> {
    const known = this.#inFlight.get(key);
    if (known !== undefined) {
      this.#line.join(known.turn, claim);
      known.turn.isAbandoned = false;
    }
    const asked = known ?? this.#begin(key, claim, ask);
    asked.waiting[requestLaneOf(claim)]++;
    claim.leaving?.onLeave(() => this.#leave(key, asked, claim));
    return known === undefined ? asked.answer : this.#joined(asked.answer, () => this.ask(key, claim, ask), claim);
  }

  /** The question may have been given up a moment before one more event joined it. */
  async #joined(answer: Promise<T>, askAgain: () => Promise<T>, { leaving }: Asking): Promise<T> {
    try {
      return await answer;
    } catch (thrown) {
      if (!(thrown instanceof WithdrawnError) || leaving?.hasLeft === true) throw thrown;
    }
    return askAgain();
  }

  #begin(key: string, claim: Claim, ask: (turn: Turn) => Promise<T>): InFlight<T> {
    const turn = turnOf(claim);
    const answer = ask(turn).finally(() => this.#forget(key, asked));
    const asked: InFlight<T> = { turn, answer, waiting: { realtime: 0, late: 0, backfill: 0 } };
    this.#inFlight.set(key, asked);
    return asked;
  }

  /** An event is overdue. A question of none goes, so that no slot is spent on it. */
  #leave(key: string, asked: InFlight<T>, claim: Claim): void {
    if (this.#inFlight.get(key) !== asked) return;
    const { waiting } = asked;
    waiting[requestLaneOf(claim)]--;
    const isAwaited = waiting.realtime + waiting.late + waiting.backfill > 0;
    if (!isAwaited && this.#line.withdraw(asked.turn)) this.#forget(key, asked);
    else if (waiting.realtime === 0) this.#line.demote(asked.turn, waiting.backfill > 0 ? "backfill" : "late");
    // On its way it may be answered still; what failed is not asked again for nothing.
    if (!isAwaited) asked.turn.isAbandoned = true;
  }

  #forget(key: string, asked: InFlight<T>): void {
    if (this.#inFlight.get(key) === asked) this.#inFlight.delete(key);
  }
}
