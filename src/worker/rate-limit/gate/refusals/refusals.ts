import type { Gate } from "../gate.ts";

/**
 * Refusals, with answers to others between them, after which it is not the key that is refused. Chosen: so many probes
 * take longer than the last answers to what was sent before the key was refused.
 */
const MAX_REFUSALS = 8;

/**
 * Tells a key that is refused from a request that is: a firewall before the service answers 403 to what it takes for an
 * attack, and an event that brings such a text must not stop all others.
 */
export class Refusals {
  #count = 0;
  #answers = -1;
  #keys = -1;

  /** One more 401 or 403. @returns whether others are answered with the very same key, time and again. */
  add({ answers, keys }: Pick<Gate, "answers" | "keys">): boolean {
    if (keys !== this.#keys) this.#count = 0;
    if (answers > this.#answers) this.#count++;
    this.#answers = answers;
    this.#keys = keys;
    return this.#count >= MAX_REFUSALS;
  }
}
