import type { Gate } from "./gate.ts";

/** Refusals, with answers to others between them, after which it is not the key that is refused. */
const MAX_REFUSALS = 3;

/**
 * Tells a key that is refused from a request that is: a firewall before the service answers 403 to what it takes for an
 * attack, and an event that brings such a text must not stop all others.
 */
export class Refusals {
  #count = 0;
  #answers = -1;

  /** One more 401 or 403. @returns whether others are answered with the same key, time and again. */
  add({ answers }: Pick<Gate, "answers">): boolean {
    if (answers > this.#answers) this.#count++;
    this.#answers = answers;
    return answers > 0 && this.#count >= MAX_REFUSALS;
  }
}
