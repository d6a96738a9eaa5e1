import type { ITopicConfig } from "kafkajs";
import {
  BATCH_OVERHEAD_BYTES,
  MIN_INSYNC_REPLICAS,
  MIN_REPLICATION,
  MIN_RETENTION_MS,
  type TopicFacts,
} from "./topic-checks.ts";
import { purposesOf, type Topics } from "./topics.ts";

export interface TopicShape {
  readonly partitions: number;
  readonly replication: number;
  readonly recordMaxBytes: number;
}

/** Kafka's own default. No topic of Weir needs a lower limit. */
const DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;

/** The topics that must be created. An existing topic stays unchanged. */
export function missingTopics(
  topics: Topics,
  facts: ReadonlyMap<string, TopicFacts>,
  { partitions, replication, recordMaxBytes }: TopicShape,
): readonly ITopicConfig[] {
  const maxMessageBytes = Math.max(DEFAULT_MAX_MESSAGE_BYTES, recordMaxBytes + BATCH_OVERHEAD_BYTES);
  const configEntries = Object.entries({
    "cleanup.policy": "delete",
    "retention.ms": String(MIN_RETENTION_MS),
    "max.message.bytes": String(maxMessageBytes),
    ...(replication >= MIN_REPLICATION ? { "min.insync.replicas": String(MIN_INSYNC_REPLICAS) } : {}),
  }).map(([name, value]) => ({ name, value }));
  return purposesOf(topics)
    .filter(([topic]) => facts.get(topic)?.state === "missing")
    .map(([topic, purpose]) => ({
      topic,
      numPartitions: purpose === "control" ? 1 : partitions,
      replicationFactor: replication,
      configEntries,
    }));
}
