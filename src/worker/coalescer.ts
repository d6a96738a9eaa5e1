/** The same question at once is one question: whoever asks while it is asked gets the same answer. */
export class Coalescer<T> {
  readonly #inFlight = new Map<string, Promise<T>>();

  ask(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#inFlight.get(key);
    if (known !== undefined) return known;
    const answer = ask().finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, answer);
    return answer;
  }
}
