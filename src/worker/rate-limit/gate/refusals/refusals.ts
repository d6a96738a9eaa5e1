import type { Gate } from "../gate.ts";

/**
 * After this many refusals, with answers to other requests between them, the request is at fault and not the key.
 * Chosen: as many probes take longer than the last answers to requests from before the key was refused.
 */
const MAX_REFUSALS = 8;

/**
 * Distinguishes a refused key from a refused request. A firewall before the service answers 403 to a request that looks
 * like an attack. An event with such a text must not stop all others.
 */
export class Refusals {
  #count = 0;
  #answers = -1;
  #keys = -1;

  /** Counts one more 401 or 403. @returns whether other requests are repeatedly answered with the same key. */
  add({ answers, keys }: Pick<Gate, "answers" | "keys">): boolean {
    if (keys !== this.#keys) this.#count = 0;
    if (answers > this.#answers) this.#count++;
    this.#answers = answers;
    this.#keys = keys;
    return this.#count >= MAX_REFUSALS;
  }
}
