import type { TopicPartition } from "../../kernel/stream.ts";

/**
 * Where logs ended when this process last fetched from them, by partition. kafkajs tells a consumer nothing of a fetch
 * without records, such as one that an open transaction holds back.
 */
export class PartitionsSeen {
  readonly #ends = new Map<string, number>();

  /** @param end the high watermark that a fetch told. */
  fetched(at: TopicPartition, end: number): void {
    this.#ends.set(nameOf(at), end);
  }

  /** Undefined for a partition that was never fetched. */
  endOf(at: TopicPartition): number | undefined {
    return this.#ends.get(nameOf(at));
  }
}

/** Shared by all consumers in this process, which read from one cluster. */
export const partitionsSeen = new PartitionsSeen();

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
