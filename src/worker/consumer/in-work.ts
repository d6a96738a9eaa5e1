import type { TopicPartition } from "../../kernel/stream.ts";
import type { PartitionNow } from "../ports.ts";

/**
 * The records of one partition that one delivery brought. They share the properties of the partition, since thousands
 * of records are in flight.
 */
export interface DeliveredBatch<L extends string> extends TopicPartition {
  readonly lane: L;
  readonly epoch: number;
  readonly place: PartitionNow;
  /**
   * When each admitted record was written, Unix milliseconds. If unknown: when it was admitted. Undefined for a record
   * that is no longer in flight.
   */
  readonly writtenAt: (number | undefined)[];
  left: number;
}

/**
 * The records in flight, grouped by delivery. One set of all records would cost about as much for each record as its
 * admission.
 */
export class InWork<L extends string> {
  readonly #deliveries = new Set<DeliveredBatch<L>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns the record's index in the delivery. */
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

  /** When the oldest record in flight of a lane was written, Unix milliseconds. */
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
