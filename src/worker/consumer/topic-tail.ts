import type {
  GroupHandler,
  PartitionOffset,
  RecordPosition,
  SeekingConsumer,
  StreamRecord,
  TopicPartition,
} from "../../kernel/stream.ts";
import { ConsumerDeadError } from "./errors.ts";

export interface TopicTailDeps {
  /** The only member of its group. */
  readonly consumer: Pick<SeekingConsumer, "start" | "seek">;
  /** The first position to read. */
  readonly from: PartitionOffset;
  readonly onRecord: (record: StreamRecord) => void;
}

/** Follows one partition of a topic, and commits nothing. After a rebalance it continues at the same position. */
export class TopicTail implements GroupHandler {
  readonly #deps: TopicTailDeps;
  #next: number;
  readonly #ended = Promise.withResolvers<never>();

  constructor(deps: TopicTailDeps) {
    this.#deps = deps;
    this.#next = deps.from.offset;
    // The caller of `start` may not await `ended` yet.
    this.#ended.promise.catch(() => undefined);
  }

  /** Rejects with {ConsumerDeadError} once the consumer has ended. */
  get ended(): Promise<never> {
    return this.#ended.promise;
  }

  /** @throws when the group cannot be reached. */
  async start(): Promise<void> {
    await this.#deps.consumer.start(this);
  }

  joined(assigned: readonly TopicPartition[]): void {
    const { topic, partition } = this.#deps.from;
    if (assigned.some((each) => each.topic === topic && each.partition === partition))
      this.#deps.consumer.seek([{ topic, partition, offset: this.#next }]);
  }

  /** This class keeps its own position, except when the partition's log was replaced. */
  located(places: readonly RecordPosition[]): void {
    const { topic, partition } = this.#deps.from;
    for (const place of places) {
      if (place.isAnew !== true || place.topic !== topic || place.partition !== partition) continue;
      this.#next = place.offset;
      this.#deps.consumer.seek([{ topic, partition, offset: this.#next }]);
    }
  }

  rebalancing(): void {}

  delivered(records: readonly StreamRecord[]): boolean {
    for (const record of records) {
      if (record.partition !== this.#deps.from.partition || record.offset < this.#next) continue;
      this.#next = record.offset + 1;
      this.#deps.onRecord(record);
    }
    return true;
  }

  committed(): void {}

  failed(error: Error, restarts: boolean): void {
    if (!restarts)
      this.#ended.reject(new ConsumerDeadError(`the consumer has ended: ${error.message}`, {}, { cause: error }));
  }
}
