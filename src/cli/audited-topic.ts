import { KafkaGroupConsumer } from "../adapters/kafka/group-consumer.ts";
import { askOffsets } from "../adapters/kafka/group-offsets.ts";
import { kafkaClient } from "../adapters/kafka/kafka-client.ts";
import { untilEmpty } from "../adapters/kafka/replay-ranges.ts";
import type { AuditedTopic } from "../archive/audit-finding.ts";
import { liveTopic, type OpenedRecords } from "../archive/topic-records.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import { type Log, quietLog } from "../kernel/log.ts";
import type { TopicPartition } from "../kernel/stream.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { TopicRange } from "../worker/group/topic-range.ts";
import type { KafkaSettings } from "./kafka-settings.ts";

export interface AuditedTopicOptions {
  readonly settings: KafkaSettings;
  readonly log: Log;
  readonly opened: Lifecycle;
  readonly signal: AbortSignal;
}

const REBALANCE_MS = 60_000;

/**
 * The verdict topic, as far as it is kept: read by a group of its own, which commits nothing, up to where it ends when it is read.
 *
 * @throws {GroupBusyError} while another audit reads in that group.
 */
export async function auditedTopic(options: AuditedTopicOptions): Promise<AuditedTopic> {
  const { settings, opened, signal } = options;
  const { connection, groupId, sessionTimeoutMs, topics } = settings;
  const client = kafkaClient(connection, quietLog);
  const ask = () => askOffsets(client, `${groupId}-archive`, topics.verdicts);
  const admin = client.admin();
  await admin.connect();
  try {
    // A run that was killed is a member for as long as its session lasts.
    await untilEmpty(admin, groupOf(settings), { clock: systemClock, patienceMs: sessionTimeoutMs + 5_000, signal });
  } finally {
    await admin.disconnect();
  }
  const open = (at: TopicPartition, from: number, ends: Ends) => openRange(at, from, ends, options);
  const topic = await liveTopic({ ask, open });
  opened.onClose("verdict topic", () => topic.close());
  return topic;
}

type Ends = ReadonlyMap<number, { readonly end: number }>;

function groupOf({ groupId }: KafkaSettings): string {
  return `${groupId}-audit`;
}

async function openRange(
  at: TopicPartition,
  from: number,
  positions: Ends,
  { settings, log, signal }: AuditedTopicOptions,
): Promise<OpenedRecords> {
  const { connection, sessionTimeoutMs } = settings;
  const ranges = Array.from(positions, ([partition, { end }]) => ({
    topic: at.topic,
    partition,
    from: partition === at.partition ? Math.min(from, end) : end,
    end,
  }));
  const consumer = new KafkaGroupConsumer({
    kafka: kafkaClient(connection, log),
    groupId: groupOf(settings),
    topics: [at.topic],
    sessionTimeoutMs,
    rebalanceTimeoutMs: Math.max(REBALANCE_MS, sessionTimeoutMs),
    clock: systemClock,
    random: Math.random,
    log,
  });
  const range = new TopicRange({ consumer, ranges, clock: systemClock, signal });
  await range.start();
  return range;
}
