import type { Kafka, Producer } from "kafkajs";
import { withTimeout } from "../../../kernel/async.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { BatchTooLargeError, type OutBatch, type Sender } from "../../../worker/consumer/output/ordered-publisher.ts";
import { sendWholeBatches } from "../kafkajs-patches/whole-batches.ts";
import { protocolErrorOf } from "../topics/topic-facts.ts";
import { RecordBatch } from "../wire/record-batch.ts";
import { partitionOf, partitionOfText } from "./partition-of.ts";

export interface PartitionSenderOptions {
  readonly kafka: Kafka;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** The number of partitions of each topic that is written to. */
  readonly partitions: ReadonlyMap<string, number>;
}

const ALL_IN_SYNC = -1;
const TIMEOUT_MS = 30_000;
const STOP_DEADLINE_MS = 3_000;

/**
 * Writes to one partition at a time on kafkajs. A send to several partitions could lose the records of one partition
 * and still resolve, when leaders move during a retry. A send to one partition cannot. The answer of the broker is
 * checked.
 */
export class PartitionSender implements Sender {
  readonly #producer: Producer;
  readonly #partitions: ReadonlyMap<string, number>;
  readonly #clock: Pick<Clock, "now">;
  readonly #log: Log;
  /** Expected bytes of the next batch: about as large as the last one. */
  #likelyBytes = 0;

  constructor({ kafka, clock, log, partitions }: PartitionSenderOptions) {
    sendWholeBatches();
    this.#clock = clock;
    this.#log = log;
    this.#partitions = partitions;
    this.#producer = kafka.producer({
      allowAutoTopicCreation: false,
      idempotent: false,
      maxInFlightRequests: 5,
      // The caller retries, and must learn of each failure. The retries of kafkajs would take minutes.
      retry: { retries: 0 },
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? Number.NaN,
    });
  }

  async start(): Promise<void> {
    await this.#producer.connect();
  }

  partitionOf(topic: string, key: string | Uint8Array): number {
    const count = this.#partitions.get(topic);
    if (count === undefined) throw new Error(`the number of partitions of ${topic} was not read`);
    return typeof key === "string" ? partitionOfText(key, count) : partitionOf(key, count);
  }

  newBatch(): RecordBatch {
    return new RecordBatch(this.#likelyBytes);
  }

  async send(topic: string, partition: number, batch: OutBatch): Promise<void> {
    const bytes = batch.bytes(this.#clock.now());
    this.#likelyBytes = bytes.length + bytes.length / 4;
    const sending = this.#producer.send({
      topic,
      acks: ALL_IN_SYNC,
      timeout: TIMEOUT_MS,
      messages: [{ value: bytes, partition }],
    });
    const taken = await sending.catch((thrown: unknown) => {
      const type = protocolErrorOf(thrown);
      if (type !== "MESSAGE_TOO_LARGE" && type !== "RECORD_LIST_TOO_LARGE") throw thrown;
      const what = `${batch.count} records are too large for ${topic}: raise its max.message.bytes`;
      throw new BatchTooLargeError(what, {}, { cause: thrown });
    });
    const [only] = taken;
    const isTaken = taken.length === 1 && only?.topicName === topic && only.partition === partition;
    if (!isTaken || only.errorCode !== 0) throw new Error("the broker did not acknowledge the records");
  }

  async stop(): Promise<void> {
    await withTimeout(STOP_DEADLINE_MS, "the producer did not end", this.#producer.disconnect()).catch(
      (thrown: unknown) => {
        this.#log.warn("the producer did not close in good order", { reason: toError(thrown).message });
      },
    );
  }
}
