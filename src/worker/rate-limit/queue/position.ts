import { KeyReplacedError, RateLimitedError } from "../../answers/service-errors.ts";
import { type BatchWaiter, isBatchWaiter, type Waiter } from "./waiter.ts";

/**
 * Gives each waiter that comes to a queue its position, once. After a 429 the waiter comes back to that position,
 * before all that came meanwhile. After each further 429 it lets more waiters go first: 1, then 3, 7, ... A request
 * that is refused for its content must not block the waiters behind it.
 */
export class PositionAllocator {
  #came = 0;

  /** The position of a waiter that comes or comes back. It may lie between two whole numbers. */
  of(turn: Waiter): number {
    const place = turn.place === undefined ? Number.POSITIVE_INFINITY : turn.place + (turn.behind ?? 0);
    if (place < this.#came) return place;
    // The waiter is new, or would let all others go first.
    turn.place = this.#came++;
    turn.behind = 0;
    return turn.place;
  }
}

/**
 * Updates the position of `asker` after its request ended. Only a 429, or the refusal of a key that was replaced, says
 * nothing about the question. Any other failure moves the waiter behind all others. While the service is down, or the
 * key refused, only one question at a time is asked. That question may be the cause.
 *
 * @param thrown the error of the request; undefined: it was answered.
 * @returns whether `asker` has kept its position. A batch waiter has no position.
 */
export function keepPosition(asker: Waiter | BatchWaiter, thrown: unknown): boolean {
  if (isBatchWaiter(asker)) return false;
  const isKept = thrown instanceof RateLimitedError || thrown instanceof KeyReplacedError;
  if (isKept) requeue(asker);
  else asker.place = undefined;
  return isKept;
}

/** Lets the waiter come back to its position, behind the waiters that it lets go first. */
export function requeue(turn: Waiter): void {
  // Half a position still puts the waiter before the next waiter.
  turn.behind = 2 * (turn.behind ?? 0) + 0.5;
}
