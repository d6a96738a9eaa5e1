import type { TopicPartition } from "../../../kernel/stream.ts";
import type { EpochStart } from "../offsets/log-truncation.ts";

/** The results of the last fetches of one partition. */
interface Seen {
  readonly end: number;
  /** Number of fetches. */
  readonly fetches: number;
  /** Offset of the first batch in the last fetch. Undefined: the fetch returned no bytes. */
  readonly from: number | undefined;
  /** Consecutive fetches before the last one that returned bytes from the same offset. */
  readonly repeats: number;
}

/**
 * By partition, the last known end of the log and the progress of its fetches. kafkajs does not report a fetch without
 * records to a consumer, such as one that an open transaction holds back.
 */
export class FetchedPartitions {
  readonly #seen = new Map<string, Seen>();
  /** The leader epochs in the last fetch of each partition. */
  readonly #epochs = new Map<string, readonly EpochStart[]>();

  /**
   * @param end the high watermark in the fetch.
   * @param from the offset of the first batch in the fetch; undefined when it returned no bytes.
   */
  fetched(at: TopicPartition, end: number, from?: number): void {
    const name = nameOf(at);
    const before = this.#seen.get(name);
    const repeats = from !== undefined && before?.from === from ? before.repeats + 1 : 0;
    this.#seen.set(name, { end, fetches: (before?.fetches ?? 0) + 1, from, repeats });
  }

  /** Records of the last fetch were read. Records that had no room come again with the same bytes. */
  progressed(at: TopicPartition): void {
    const seen = this.#seen.get(nameOf(at));
    if (seen !== undefined) this.#seen.set(nameOf(at), { ...seen, from: undefined, repeats: 0 });
  }

  /** Records the leader epochs of the batches in a fetch, ascending, each with the offset of its first batch. */
  fetchedEpochs(at: TopicPartition, epochs: readonly EpochStart[]): void {
    this.#epochs.set(nameOf(at), epochs);
  }

  /** The leader epochs in the last fetch of a partition. Empty: none is known. */
  epochsOf(at: TopicPartition): readonly EpochStart[] {
    return this.#epochs.get(nameOf(at)) ?? [];
  }

  /** Records the high watermark that the brokers report for a partition that is not fetched at the moment. */
  told(at: TopicPartition, end: number): void {
    const name = nameOf(at);
    this.#seen.set(name, { fetches: 0, from: undefined, repeats: 0, ...this.#seen.get(name), end });
  }

  /** Undefined for a partition without a report. */
  endOf(at: TopicPartition): number | undefined {
    return this.#seen.get(nameOf(at))?.end;
  }

  /** Number of fetches of a partition. */
  fetchesOf(at: TopicPartition): number {
    return this.#seen.get(nameOf(at))?.fetches ?? 0;
  }

  /**
   * Consecutive fetches that returned the same bytes again, and the offset of these bytes. Undefined: the last fetch
   * did not.
   */
  repeatsOf(at: TopicPartition): { readonly fetches: number; readonly offset: number } | undefined {
    const seen = this.#seen.get(nameOf(at));
    if (seen?.from === undefined || seen.repeats === 0) return undefined;
    return { fetches: seen.repeats, offset: seen.from };
  }
}

/** Shared by all consumers in this process, which read from one cluster. */
export const fetchedPartitions = new FetchedPartitions();

/** Topic names hold no slash, so the text is unambiguous. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
