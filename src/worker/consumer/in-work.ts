import type { TopicPartition } from "../../kernel/stream.ts";
import type { PartitionNow } from "../ports.ts";

/** What was delivered of one partition at once. All its records share what is known of it, since thousands are in work. */
export interface DeliveredBatch<L extends string> extends TopicPartition {
  readonly lane: L;
  readonly epoch: number;
  readonly place: PartitionNow;
  /**
   * When those were written that were taken into work, or taken in where that is not known, Unix milliseconds; nothing in
   * the place of one that is in work no more.
   */
  readonly writtenAt: (number | undefined)[];
  left: number;
}

/** Which records are in work, by delivery: in one set of them all, each would cost about as much as being taken in. */
export class InWork<L extends string> {
  readonly #deliveries = new Set<DeliveredBatch<L>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns the record's place in the delivery. */
  begin(delivered: DeliveredBatch<L>, writtenAt: number): number {
    if (delivered.left === 0) this.#deliveries.add(delivered);
    delivered.left++;
    this.#size++;
    return delivered.writtenAt.push(writtenAt) - 1;
  }

  end(delivered: DeliveredBatch<L>, at: number): void {
    delivered.writtenAt[at] = undefined;
    delivered.left--;
    this.#size--;
    if (delivered.left === 0) this.#deliveries.delete(delivered);
  }

  /** When the oldest of a lane was written, Unix milliseconds. */
  oldestAt(lane: L): number | undefined {
    let oldest: number | undefined;
    for (const delivered of this.#deliveries) {
      if (delivered.lane !== lane) continue;
      for (const at of delivered.writtenAt) {
        if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at;
      }
    }
    return oldest;
  }
}
