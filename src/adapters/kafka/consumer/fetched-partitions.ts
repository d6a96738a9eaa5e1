import type { TopicPartition } from "../../../kernel/stream.ts";

/** What the last fetches told of one partition. */
interface Seen {
  readonly end: number;
  /** Fetches so far. */
  readonly fetches: number;
  /** Offset of the first batch that the last fetch brought; undefined: it brought no bytes. */
  readonly from: number | undefined;
  /** Fetches in a row before the last one that brought bytes from the same offset on. */
  readonly repeats: number;
}

/**
 * Where logs ended when this process last asked for them, and how its fetches go, by partition. kafkajs tells a consumer
 * nothing of a fetch without records, such as one that an open transaction holds back.
 */
export class FetchedPartitions {
  readonly #seen = new Map<string, Seen>();

  /**
   * @param end the high watermark that a fetch told.
   * @param from the offset of the first batch that it brought; undefined: it brought no bytes.
   */
  fetched(at: TopicPartition, end: number, from?: number): void {
    const name = nameOf(at);
    const before = this.#seen.get(name);
    const repeats = from !== undefined && before?.from === from ? before.repeats + 1 : 0;
    this.#seen.set(name, { end, fetches: (before?.fetches ?? 0) + 1, from, repeats });
  }

  /** The high watermark as the brokers told it of a partition that is not fetched at the moment. */
  told(at: TopicPartition, end: number): void {
    const name = nameOf(at);
    this.#seen.set(name, { fetches: 0, from: undefined, repeats: 0, ...this.#seen.get(name), end });
  }

  /** Undefined for a partition of which nothing was told. */
  endOf(at: TopicPartition): number | undefined {
    return this.#seen.get(nameOf(at))?.end;
  }

  /** Fetches of a partition so far. */
  fetchesOf(at: TopicPartition): number {
    return this.#seen.get(nameOf(at))?.fetches ?? 0;
  }

  /** Fetches in a row that brought the same bytes again, and the offset of these; undefined: the last one did not. */
  repeatsOf(at: TopicPartition): { readonly fetches: number; readonly offset: number } | undefined {
    const seen = this.#seen.get(nameOf(at));
    if (seen?.from === undefined || seen.repeats === 0) return undefined;
    return { fetches: seen.repeats, offset: seen.from };
  }
}

/** Shared by all consumers in this process, which read from one cluster. */
export const fetchedPartitions = new FetchedPartitions();

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
