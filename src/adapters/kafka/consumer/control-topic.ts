import type { Kafka } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import { toError } from "../../../kernel/errors.ts";
import { type Log, quietLog } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";
import type { PartitionOffset } from "../../../kernel/stream.ts";
import { TopicTail } from "../../../worker/consumer/topic-tail.ts";
import { askOffsets } from "../offsets/group-offsets.ts";
import { KafkaGroupConsumer } from "./group-consumer.ts";

export interface ControlTopicOptions {
  readonly kafka: Kafka;
  readonly topic: string;
  /** A group of this process alone: it commits nothing. */
  readonly groupId: string;
  readonly sessionTimeoutMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onValue: (value: Uint8Array | undefined) => void;
}

/**
 * Records before the end that are read at the start. They hold the latest statement of every present process. Chosen
 * for 250 processes.
 */
const TAIL = 256;
const AGAIN_MS = 5_000;
const REBALANCE_MS = 60_000;

/**
 * Reads the control topic from a little before its end until `signal`, across failures of brokers and consumers. Never
 * rejects.
 */
export async function followControlTopic(options: ControlTopicOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options;
  let next: number | undefined;
  let said = "";
  while (!signal.aborted) {
    try {
      const from = await startOf(options, next);
      await follow(options, from, signal, (offset) => {
        next = offset;
      });
    } catch (thrown) {
      if (signal.aborted) return;
      const reason = toError(thrown).message;
      if (reason !== said) log.warn("Weir cannot read the control topic and keeps trying", { reason });
      said = reason;
      await clock.sleep(AGAIN_MS, signal).catch(() => undefined);
    }
  }
}

/** @param next the next offset of the last consumer; undefined for the first start. */
async function startOf(
  { kafka, groupId, topic }: ControlTopicOptions,
  next: number | undefined,
): Promise<PartitionOffset> {
  const log = (await askOffsets(kafka, groupId, topic)).get(0);
  if (log === undefined) throw new Error(`the brokers do not know ${topic}/0`);
  const offset =
    next !== undefined && next >= log.earliest && next <= log.end ? next : Math.max(log.earliest, log.end - TAIL);
  return { topic, partition: 0, offset };
}

async function follow(
  options: ControlTopicOptions,
  from: PartitionOffset,
  signal: AbortSignal,
  onNext: (offset: number) => void,
): Promise<void> {
  const { kafka, topic, groupId, sessionTimeoutMs, clock, random, onValue } = options;
  const consumer = new KafkaGroupConsumer({
    kafka,
    groupId,
    topics: [topic],
    sessionTimeoutMs,
    rebalanceTimeoutMs: Math.max(REBALANCE_MS, sessionTimeoutMs),
    clock,
    random,
    // The caller logs the important failures, once.
    log: quietLog,
  });
  const stopped = Promise.withResolvers<void>();
  const stop = () => stopped.resolve();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const tail = new TopicTail({
      consumer,
      from,
      onRecord: ({ value, offset }) => {
        onNext(offset + 1);
        onValue(value);
      },
    });
    await Promise.race([tail.start().then(() => tail.ended), stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    await consumer.stop();
  }
}
