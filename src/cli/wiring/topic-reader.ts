import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { KafkaGroupConsumer } from "../../adapters/kafka/consumer/group-consumer.ts";
import type { HeaderChoice } from "../../adapters/kafka/consumer/passed-headers.ts";
import { type ReplayAdmin, untilEmpty } from "../../adapters/kafka/offsets/replay-ranges.ts";
import { askLeaders } from "../../adapters/kafka/topics/moving-leaders.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type Log, quietLog } from "../../kernel/log.ts";
import { type OffsetRange, TopicRange } from "../../worker/consumer/topic-range.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";

/**
 * Options of a command that reads a part of a topic. It uses its own group, which has one member and commits only on
 * request.
 */
export interface TopicReaderOptions {
  readonly settings: KafkaSettings;
  readonly groupId: string;
  readonly topic: string;
  readonly ranges: readonly OffsetRange[];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The record headers that are read. By default none. */
  readonly headers?: HeaderChoice;
}

const REBALANCE_MS = 60_000;

/** A reader that has not started yet. */
export function topicReader({
  settings,
  groupId,
  topic,
  ranges,
  log,
  signal,
  headers,
}: TopicReaderOptions): TopicRange {
  const { connection, sessionTimeoutMs } = settings;
  const consumer = new KafkaGroupConsumer({
    kafka: kafkaClient(connection, log),
    groupId,
    topics: [topic],
    sessionTimeoutMs,
    rebalanceTimeoutMs: Math.max(REBALANCE_MS, sessionTimeoutMs),
    clock: systemClock,
    random: Math.random,
    log,
    ...(headers === undefined ? {} : { headers }),
  });
  return new TopicRange({ consumer, ranges, clock: systemClock, signal });
}

/**
 * The result of `ask`, once the group is empty: a killed run remains a member until its session ends. While leaders
 * move it is retried.
 *
 * @throws {GroupBusyError} while another run of the command reads in that group.
 */
export async function onceEmpty<T>(
  { connection, sessionTimeoutMs }: KafkaSettings,
  groupId: string,
  signal: AbortSignal,
  ask: (admin: ReplayAdmin) => Promise<T>,
): Promise<T> {
  const clock = systemClock;
  const client = kafkaClient(connection, quietLog);
  const look = async (admin: ReplayAdmin) => {
    await untilEmpty(admin, groupId, { clock, patienceMs: sessionTimeoutMs + 5_000, signal });
    return ask(admin);
  };
  return askLeaders(() => client.admin(), look, { clock, signal });
}
