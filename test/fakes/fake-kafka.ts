import type { Consumer, EachBatchHandler, EachBatchPayload, Kafka, KafkaMessage } from "kafkajs";
import { fetchedPartitions } from "../../src/adapters/kafka/consumer/fetched-partitions.ts";
import type { EpochBroker, LeaderCluster } from "../../src/adapters/kafka/offsets/epoch-ends.ts";
import type { EpochEnd } from "../../src/adapters/kafka/offsets/log-truncation.ts";
import { nameOf } from "./fake-consumer.ts";

/** The brokers' report about the only partition. */
export interface FakeLogOffsets {
  committed: number;
  low: number;
  high: number;
  /** The ids of the topic and the cluster, and the metadata of the commit. */
  topicId?: string;
  clusterId?: string;
  metadata?: string;
}

const EVENTS = [
  "GROUP_JOIN",
  "REBALANCING",
  "COMMIT_OFFSETS",
  "CRASH",
  "STOP",
  "FETCH_START",
  "HEARTBEAT",
  "START_BATCH_PROCESS",
] as const;

type Listener = (event: { readonly payload: unknown }) => void;

/** kafkajs with one consumer. The test controls its group and fetches. */
export class FakeKafka {
  readonly paused = new Set<string>();
  readonly seeks: string[] = [];
  readonly resolved: string[] = [];
  /** As topic/partition, offset and metadata. */
  readonly commits: string[] = [];
  /** The ends of epochs in the log of the partition, from its leader; an error is thrown. */
  epochEnd: ((epoch: number) => EpochEnd) | Error = () => ({ epoch: -1, end: -1 });
  /** Epochs that a leader was asked about. */
  readonly epochsAsked: number[] = [];
  readonly #listeners = new Map<string, Listener>();
  /** The answer of an admin; an error is thrown. */
  answer: FakeLogOffsets | Error;
  asked = 0;
  #eachBatch: EachBatchHandler | undefined;

  constructor(answer: FakeLogOffsets | Error) {
    this.answer = answer;
  }

  /** Only the methods that `KafkaGroupConsumer` calls. */
  get kafka(): Kafka {
    return {
      consumer: () => this.#consumer(),
      admin: () => this.#admin(),
      [Symbol("private:Kafka:createCluster")]: () => this.#cluster(),
    } as unknown as Kafka;
  }

  emit(event: (typeof EVENTS)[number], payload: unknown): void {
    this.#listeners.get(event)?.({ payload });
  }

  join(memberAssignment: Readonly<Record<string, readonly number[]>>): void {
    this.emit("GROUP_JOIN", { memberAssignment });
  }

  /** Delivers a batch of only markers and aborted records, from `first` to `last`, which kafkajs skips. */
  markers(topic: string, partition: number, first: number, last: number, leaderEpoch = -1): void {
    fetchedPartitions.fetchedEpochs(
      { topic, partition },
      leaderEpoch === -1 ? [] : [{ epoch: leaderEpoch, from: first }],
    );
    const offsets = { firstOffset: String(first), lastOffset: String(last) };
    this.emit("START_BATCH_PROCESS", { topic, partition, batchSize: 0, ...offsets });
  }

  /** Delivers `count` records that were fetched from `fetchedOffset` on, unless the partition is paused. */
  async fetched(
    topic: string,
    partition: number,
    fetchedOffset: number,
    count: number,
    leaderEpoch = -1,
  ): Promise<void> {
    const batchContext = { producerId: "-1", inTransaction: false, leaderEpoch };
    const epochs = leaderEpoch === -1 ? [] : [{ epoch: leaderEpoch, from: fetchedOffset }];
    fetchedPartitions.fetchedEpochs({ topic, partition }, epochs);
    const messages = Array.from({ length: count }, (_, index) => ({ ...message(fetchedOffset + index), batchContext }));
    const batch = {
      topic,
      partition,
      fetchedOffset: String(fetchedOffset),
      highWatermark: String(fetchedOffset + count + 5),
      messages,
      lastOffset: () => String(fetchedOffset + count - 1),
    };
    const payload: Partial<EachBatchPayload> = {
      batch: batch as unknown as EachBatchPayload["batch"],
      resolveOffset: (offset) => void this.resolved.push(offset),
      isRunning: () => true,
      isStale: () => false,
    };
    await this.#eachBatch?.(payload as EachBatchPayload);
  }

  #consumer(): Consumer {
    const byName = (topics: readonly { readonly topic: string; readonly partitions?: readonly number[] }[]) =>
      topics.flatMap(({ topic, partitions = [] }) => partitions.map((partition) => nameOf({ topic, partition })));
    const consumer: Partial<Consumer> = {
      events: Object.fromEntries(EVENTS.map((name) => [name, name])) as unknown as Consumer["events"],
      on: ((name: string, listener: Listener) => void this.#listeners.set(name, listener)) as unknown as Consumer["on"],
      connect: async () => undefined,
      subscribe: async () => undefined,
      disconnect: async () => undefined,
      run: async (config) => {
        this.#eachBatch = config?.eachBatch;
      },
      pause: (topics) => {
        for (const name of byName(topics)) this.paused.add(name);
      },
      resume: (topics) => {
        for (const name of byName(topics)) this.paused.delete(name);
      },
      commitOffsets: async (offsets) => {
        for (const { topic, partition, offset, metadata } of offsets) {
          this.commits.push(`${nameOf({ topic, partition })} ${offset} ${metadata}`);
        }
      },
      seek: ({ topic, partition, offset }) => void this.seeks.push(`${nameOf({ topic, partition })} ${offset}`),
    };
    return consumer as Consumer;
  }

  #cluster(): LeaderCluster {
    const ask = (epoch: number) => {
      this.epochsAsked.push(epoch);
      if (this.epochEnd instanceof Error) throw this.epochEnd;
      return this.epochEnd(epoch);
    };
    const broker: EpochBroker = {
      versions: { 23: { maxVersion: 4 } },
      connectionPool: {
        send: async ({ request, response }) => {
          const asked = (await request.encode()).buffer;
          const answer = ask(asked.readInt32BE(asked.length - 4));
          return response.parse({
            throttleTime: 0,
            clientSideThrottleTime: 0,
            partitions: [{ partition: 0, errorCode: 0, answer }],
          });
        },
      },
    };
    return {
      connect: async () => undefined,
      disconnect: async () => undefined,
      addTargetTopic: async () => undefined,
      findTopicPartitionMetadata: () => [{ partitionId: 0, leader: 1 }],
      findBroker: async () => broker,
    };
  }

  #admin() {
    const said = () => {
      if (this.answer instanceof Error) throw this.answer;
      return this.answer;
    };
    const counted = () => {
      this.asked++;
      return said();
    };
    return {
      connect: async () => undefined,
      disconnect: async () => undefined,
      fetchOffsets: async ({ topics = [] }: { readonly topics?: readonly string[] }) =>
        topics.map((topic) => ({
          topic,
          partitions: [{ partition: 0, offset: String(said().committed), metadata: said().metadata ?? null }],
        })),
      fetchTopicMetadata: async ({ topics }: { readonly topics: readonly string[] }) => ({
        topics: topics.map((name) => {
          const { topicId, clusterId } = counted();
          return { name, partitions: [{ partitionId: 0, topicId, clusterId }] };
        }),
      }),
      fetchTopicOffsets: async () => {
        const { low, high } = counted();
        return [{ partition: 0, offset: String(high), low: String(low), high: String(high) }];
      },
    };
  }
}

function message(offset: number): KafkaMessage {
  return {
    key: null,
    value: Buffer.from(`record ${offset}`),
    timestamp: "1700000000000",
    attributes: 0,
    offset: String(offset),
    headers: {},
  };
}
