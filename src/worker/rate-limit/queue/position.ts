import { KeyReplacedError, RateLimitedError } from "../../answers/service-errors.ts";
import { type BatchWaiter, isBatchWaiter, type Waiter } from "./waiter.ts";

/**
 * Gives each turn that comes to a line its place, once: what a 429 refused comes back to where it stood, before all that
 * came meanwhile. Refused again, it lets one other go first, then 3, 7, ...: what is refused for itself must not stop
 * whoever stands behind it.
 */
export class PositionAllocator {
  #came = 0;

  /** The place of one that comes, or comes back; it may lie between two numbers. */
  of(turn: Waiter): number {
    const place = turn.place === undefined ? Number.POSITIVE_INFINITY : turn.place + (turn.behind ?? 0);
    if (place < this.#came) return place;
    // It is new, or would let everybody go first.
    turn.place = this.#came++;
    turn.behind = 0;
    return turn.place;
  }
}

/**
 * A request for `asker` has ended. Only a 429, or the refusal of a key that is in use no longer, says nothing of what was asked. What fails otherwise goes behind all others:
 * while the service is down, or the key refused, only one at a time is asked, and it may be its own fault.
 *
 * @param thrown what it failed with; undefined: it was answered.
 * @returns whether `asker` has kept its place; a company stands by itself, and has none.
 */
export function keepPosition(asker: Waiter | BatchWaiter, thrown: unknown): boolean {
  if (isBatchWaiter(asker)) return false;
  const isKept = thrown instanceof RateLimitedError || thrown instanceof KeyReplacedError;
  if (isKept) requeue(asker);
  else asker.place = undefined;
  return isKept;
}

/** It is to stand where it stood, but for those that it lets go first. */
export function requeue(turn: Waiter): void {
  // Half a place is none: whoever came next stands behind it still.
  turn.behind = 2 * (turn.behind ?? 0) + 0.5;
}
