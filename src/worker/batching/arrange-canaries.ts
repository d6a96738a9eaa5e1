import type { Random } from "../../kernel/retry.ts";
import { type BatchPosition, batchPositions } from "./canary.ts";
import type { Named } from "./queue/batch-conflicts.ts";

/**
 * One array of a request on one chain: a canary at each end, and all other items with the third canary between them.
 */
export class BatchSegment implements Readonly<Record<BatchPosition, Named[]>> {
  readonly front: Named[] = [];
  readonly middle: Named[] = [];
  readonly back: Named[] = [];

  /**
   * Moves an item to an end of the array if it stands in the middle. A canary may name an address that is already
   * listed.
   */
  move(named: Named, place: BatchPosition): void {
    const at = this.middle.indexOf(named);
    if (at >= 0) this[place].push(...this.middle.splice(at, 1));
  }
}

/** One array of a request in random order, with the front canaries first and the back canaries last. */
export function arrangeCanaries(rows: readonly BatchSegment[], random: Random): readonly Named[] {
  const all: Named[] = [];
  for (const place of batchPositions) {
    const from = all.length;
    for (const row of rows) all.push(...row[place]);
    shuffle(all, from, random);
  }
  return all;
}

/**
 * Shuffles the items from index `from` on. All orders are equally likely. Source: Fisher and Yates, as in Knuth, TAOCP
 * 2, algorithm 3.4.2 P.
 */
function shuffle<T>(items: T[], from: number, random: Random): void {
  for (let last = items.length - 1; last > from; last--) {
    const other = from + Math.floor(random() * (last - from + 1));
    const moved = items[last] as T;
    items[last] = items[other] as T;
    items[other] = moved;
  }
}
