import { sha256 } from "../../../kernel/sha256.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";
import type { Waiting } from "../queue/waiting.ts";

/** Enough to single out one of a full request. */
const FOR_ONE = 16;

/**
 * A request that was refused, or failed time and again, and what is sent of it from then on. No request of several is sent again as it was. All of
 * them may cost so many more than if each part were asked alone, and what is left is, once that is spent: a quarter of the
 * parts and what it takes to find one of them, and never more than there are parts. A search pays while few are to blame.
 */
export class RefusedRequest {
  /** How it was asked; of a search, one that is left is asked alone. */
  readonly kind: OutgoingBatch["kind"];
  /** Whether it failed where others are refused: that may be by chance. */
  readonly isFailure: boolean;
  /** What was asked together, by its items: parts about one target may hold as much as others. */
  readonly #asked: Set<string>;
  /** Requests of several that may still be made in vain, as the first one was. */
  #spare: number;

  constructor({ kind, waiting }: Pick<OutgoingBatch, "kind" | "waiting">, isFailure = false) {
    this.kind = kind;
    this.isFailure = isFailure;
    this.#asked = new Set([itemsOf(waiting)]);
    this.#spare = Math.min(waiting.length, FOR_ONE + Math.floor(waiting.length / 4)) - 1;
  }

  /** These are to be asked next. @returns whether in one request; else each alone. */
  takes(waiting: readonly Waiting[]): boolean {
    if (waiting.length === 1) return true;
    const items = itemsOf(waiting);
    if (this.#spare <= 0 || this.#asked.has(items)) return false;
    this.#asked.add(items);
    this.#spare--;
    return true;
  }

  /** None of these is to be asked alone. */
  answered(waiting: readonly Waiting[]): void {
    if (waiting.length > 1) this.#spare += waiting.length;
  }
}

/** The same for all that hold the same items, in whatever order. */
function itemsOf(waiting: readonly Waiting[]): string {
  const items = new Set<string>();
  for (const { part } of waiting) {
    const { id } = part.chain;
    for (const user of part.users) items.add(`user ${id} ${user}`);
    items.add(`target ${id} ${part.target}`);
    if (part.token !== undefined) items.add(`token ${id} ${part.token}`);
  }
  return sha256([...items].toSorted().join());
}
