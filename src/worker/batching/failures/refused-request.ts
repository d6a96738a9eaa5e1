import { sha256 } from "../../../kernel/hash.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";
import type { QueuedEntry } from "../queue/entry-queue.ts";

/** Requests that suffice to find one bad item in a full request. */
const FOR_ONE = 16;

/**
 * A request that was refused, or failed several times, and the requests that follow from it. The same items are never
 * sent together again.
 *
 * The search may cost a limited number of requests more than one request per entry. The limit is a quarter of the
 * entries, plus the requests that find one bad entry. It never exceeds the number of entries. When the limit is spent,
 * the remaining entries are sent alone. A search pays while few items are bad.
 */
export class RefusedRequest {
  /** How the request was sent. A single remaining entry of a search is sent alone. */
  readonly kind: OutgoingBatch["kind"];
  /** Whether the request failed and was not refused. A failure may be chance. */
  readonly isFailure: boolean;
  /**
   * Digests of the items of requests that were sent. Several entries with one target may hold the same items as others.
   */
  readonly #asked: Set<string>;
  /** Requests with several entries that may still fail, as the first request did. */
  #spare: number;

  constructor({ kind, waiting }: Pick<OutgoingBatch, "kind" | "waiting">, isFailure = false) {
    this.kind = kind;
    this.isFailure = isFailure;
    this.#asked = new Set([itemsOf(waiting)]);
    this.#spare = Math.min(waiting.length, FOR_ONE + Math.floor(waiting.length / 4)) - 1;
  }

  /**
   * Spends one request on these entries.
   *
   * @returns whether the entries are sent in one request. Otherwise each entry is sent alone.
   */
  takes(waiting: readonly QueuedEntry[]): boolean {
    if (waiting.length === 1) return true;
    const items = itemsOf(waiting);
    if (this.#spare <= 0 || this.#asked.has(items)) return false;
    this.#asked.add(items);
    this.#spare--;
    return true;
  }

  /** The entries were answered, so no entry of the request costs a request of its own. */
  answered(waiting: readonly QueuedEntry[]): void {
    if (waiting.length > 1) this.#spare += waiting.length;
  }
}

/** One digest for equal sets of items, whatever their order. */
function itemsOf(waiting: readonly QueuedEntry[]): string {
  const items = new Set<string>();
  for (const { part } of waiting) {
    const { id } = part.chain;
    for (const user of part.users) items.add(`user ${id} ${user}`);
    items.add(`target ${id} ${part.target}`);
    if (part.token !== undefined) items.add(`token ${id} ${part.token}`);
  }
  return sha256([...items].toSorted().join());
}
