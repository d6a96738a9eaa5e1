import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from "kafkajs";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { GroupConsumer, GroupHandler, StreamRecord } from "../../worker/group/ports.ts";
import type { PartitionOffset } from "../../worker/ledger/intake.ts";
import type { TopicPartition } from "../../worker/ledger/tenures.ts";
import { within } from "./within.ts";

export interface GroupConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** How long the members of a group wait for each other, milliseconds. */
  readonly rebalanceTimeoutMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a fetch waits for records, milliseconds: what is resumed is read so much later at most. */
const MAX_WAIT_MS = 250;
const MAX_BYTES_A_PARTITION = 262_144;
const MAX_BYTES = 4 * 1024 * 1024;
const STOP_DEADLINE_MS = 5_000;
/** Of the headers of a record only these go on: those that follow a request through many programs. */
const CARRIED: readonly string[] = ["traceparent", "tracestate"];
const MAX_HEADER_BYTES = 512;

/**
 * A member of a consumer group on kafkajs. Its handler takes records in and returns; nothing is committed but by
 * `commit`. The client's own notion of progress is only its place of reading.
 */
export class KafkaGroupConsumer implements GroupConsumer {
  readonly #options: GroupConsumerOptions;
  readonly #consumer: Consumer;
  /** Next offset to be read, by partition: a jump is worth a word. */
  readonly #next = new Map<string, number>();
  #activeAt: number;

  constructor(options: GroupConsumerOptions) {
    const { kafka, groupId, sessionTimeoutMs, rebalanceTimeoutMs, clock } = options;
    this.#options = options;
    this.#activeAt = clock.ticks();
    this.#consumer = kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: rebalanceTimeoutMs,
      heartbeatInterval: Math.min(3_000, Math.floor(sessionTimeoutMs / 4)),
      maxWaitTimeInMs: MAX_WAIT_MS,
      minBytes: 1,
      maxBytesPerPartition: MAX_BYTES_A_PARTITION,
      maxBytes: MAX_BYTES,
      metadataMaxAge: 60_000,
      allowAutoTopicCreation: false,
      readUncommitted: false,
    });
  }

  get activeAt(): number {
    return this.#activeAt;
  }

  async start(handler: GroupHandler): Promise<void> {
    const consumer = this.#consumer;
    const { GROUP_JOIN, REBALANCING, COMMIT_OFFSETS, CRASH, FETCH_START, HEARTBEAT } = consumer.events;
    const alive = () => {
      this.#activeAt = this.#options.clock.ticks();
    };
    consumer.on(FETCH_START, alive);
    consumer.on(HEARTBEAT, alive);
    consumer.on(GROUP_JOIN, ({ payload }) => {
      alive();
      this.#next.clear();
      handler.joined(
        Object.entries(payload.memberAssignment).flatMap(([topic, partitions]) =>
          partitions.map((partition) => ({ topic, partition })),
        ),
      );
    });
    consumer.on(REBALANCING, () => handler.rebalancing());
    consumer.on(COMMIT_OFFSETS, ({ payload }) => {
      handler.committed(
        payload.topics.flatMap(({ topic, partitions }) =>
          partitions.map(({ partition, offset }) => ({ topic, partition: Number(partition), offset: Number(offset) })),
        ),
      );
    });
    consumer.on(CRASH, ({ payload }) => handler.failed(toError(payload.error), payload.restart));
    await consumer.connect();
    await consumer.subscribe({ topics: [...this.#options.topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 1,
      eachBatch: (payload) => this.#deliver(payload, handler),
    });
  }

  pause(at: readonly TopicPartition[]): void {
    if (at.length > 0) this.#consumer.pause(byTopic(at));
  }

  resume(at: readonly TopicPartition[]): void {
    if (at.length > 0) this.#consumer.resume(byTopic(at));
  }

  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    await this.#consumer.commitOffsets(
      offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })),
    );
  }

  async stop(): Promise<void> {
    await within(STOP_DEADLINE_MS, this.#consumer.disconnect()).catch((thrown: unknown) => {
      this.#options.log.warn("the consumer did not leave in good order", { reason: toError(thrown).message });
    });
  }

  async #deliver({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload, handler: GroupHandler): Promise<void> {
    if (!isRunning() || isStale()) return;
    const { topic, partition, messages } = batch;
    const records = messages.map((message) => recordOf(topic, partition, message));
    const last = messages.at(-1);
    if (last === undefined || !handler.delivered(records)) return;
    this.#lookForJump(records);
    resolveOffset(last.offset);
  }

  /** What lies between was compacted, or belonged to a transaction; or it was gone before anybody read it. */
  #lookForJump(records: readonly StreamRecord[]): void {
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined) return;
    const { topic, partition, offset } = first;
    const expected = this.#next.get(`${topic}/${partition}`);
    if (expected !== undefined && offset > expected) {
      const fields = { topic, partition, from: expected, until: offset };
      this.#options.log.warn("offsets were passed over: compacted, or deleted before they were read", fields);
    }
    this.#next.set(`${topic}/${partition}`, last.offset + 1);
  }
}

function recordOf(topic: string, partition: number, message: KafkaMessage): StreamRecord {
  const { offset, timestamp, value, headers = {} } = message;
  const carried: [string, string][] = [];
  for (const name of CARRIED) {
    const header = [headers[name]].flat()[0];
    if (header !== undefined && header.length <= MAX_HEADER_BYTES) carried.push([name, header.toString()]);
  }
  return {
    topic,
    partition,
    offset: Number(offset),
    timestamp: Number(timestamp),
    value: value ?? undefined,
    headers: Object.fromEntries(carried),
  };
}

function byTopic(at: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics = Map.groupBy(at, ({ topic }) => topic);
  return Array.from(topics, ([topic, each]) => ({ topic, partitions: each.map(({ partition }) => partition) }));
}
