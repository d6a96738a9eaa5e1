import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { groupOffsets } from "../../adapters/kafka/offsets/group-offsets.ts";
import { askLeaders } from "../../adapters/kafka/topics/moving-leaders.ts";
import type { AuditedTopic } from "../../archive/audit/audit-finding.ts";
import { liveTopic, type OpenedRecords } from "../../archive/audit/topic-records.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Log, quietLog } from "../../kernel/log.ts";
import type { TopicPartition } from "../../kernel/stream.ts";
import type { KafkaSettings } from "../config/kafka-settings.ts";
import { onceEmpty, topicReader } from "../wiring/topic-reader.ts";

export interface AuditedTopicOptions {
  readonly settings: KafkaSettings;
  readonly log: Log;
  readonly opened: Lifecycle;
  readonly signal: AbortSignal;
}

/**
 * The verdict topic within its retention. It is read up to its present end by a separate group, which commits nothing.
 *
 * @throws {GroupBusyError} while another audit reads in that group.
 */
export async function auditedTopic(options: AuditedTopicOptions): Promise<AuditedTopic> {
  const { settings, opened, signal } = options;
  const { connection, groupId, topics } = settings;
  const client = kafkaClient(connection, quietLog);
  const ask = () =>
    askLeaders(
      () => client.admin(),
      (admin) => groupOffsets(admin, `${groupId}-archive`, topics.verdicts),
      { clock: systemClock, signal },
    );
  await onceEmpty(settings, groupOf(settings), signal, async () => undefined);
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
  const ranges = Array.from(positions, ([partition, { end }]) => ({
    topic: at.topic,
    partition,
    from: partition === at.partition ? Math.min(from, end) : end,
    end,
  }));
  const range = topicReader({ settings, groupId: groupOf(settings), topic: at.topic, ranges, log, signal });
  await range.start();
  return range;
}
