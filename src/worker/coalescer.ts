import { type Claim, type Turn, turnOf } from "./pace/turn.ts";

interface InFlight<T> {
  readonly turn: Turn;
  readonly answer: Promise<T>;
}

/** The same question at once is one question: whoever asks while it is asked gets the same answer. */
export class Coalescer<T> {
  readonly #inFlight = new Map<string, InFlight<T>>();
  readonly #join: (turn: Turn, claim: Claim) => void;

  /** @param join tells whoever has the turn of a question in line that one more asks it. */
  constructor(join: (turn: Turn, claim: Claim) => void) {
    this.#join = join;
  }

  ask(key: string, claim: Claim, ask: (turn: Turn) => Promise<T>): Promise<T> {
    const known = this.#inFlight.get(key);
    if (known !== undefined) {
      this.#join(known.turn, claim);
      return known.answer;
    }
    const turn = turnOf(claim);
    const answer = ask(turn).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, { turn, answer });
    return answer;
  }
}
