import type { TopicPartition } from "../../kernel/stream.ts";

/** What the last fetch of a partition brought. */
interface Fetched {
  /** Where the log ended: the high watermark. */
  readonly end: number;
  /** Bytes of batches, whole or cut short. */
  readonly bytes: number;
  /** One more than the last offset of its whole batches; undefined where it brought none. */
  readonly until: number | undefined;
}

/** Fetches of one partition that brought the very same batches, one after the other. */
interface Seen extends Fetched {
  readonly repeats: number;
}

/**
 * What fetches of this process brought, by partition. kafkajs tells a consumer nothing of a fetch without records, such as
 * one that an open transaction holds back.
 */
export class PartitionsSeen {
  readonly #seen = new Map<string, Seen>();

  fetched(at: TopicPartition, fetched: Fetched): void {
    const before = this.#seen.get(nameOf(at));
    const isSame = before !== undefined && fetched.bytes > 0 && before.until === fetched.until && before.bytes > 0;
    this.#seen.set(nameOf(at), { ...fetched, repeats: isSame ? before.repeats + 1 : 0 });
  }

  /** Where the log of a partition ended when it was last fetched; undefined where it never was. */
  endOf(at: TopicPartition): number | undefined {
    return this.#seen.get(nameOf(at))?.end;
  }

  /** How many fetches in a row brought bytes and nothing new. */
  repeatsOf(at: TopicPartition): number {
    return this.#seen.get(nameOf(at))?.repeats ?? 0;
  }
}

/** Of all consumers in this process, which read from the same brokers. */
export const partitionsSeen = new PartitionsSeen();

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
