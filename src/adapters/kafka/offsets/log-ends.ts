import type { Kafka } from "kafkajs";
import manifest from "kafkajs/package.json" with { type: "json" };
import type { Clock } from "../../../kernel/clock.ts";
import { askLeaders } from "../topics/moving-leaders.ts";

/** The end of the log of one partition. */
export interface LogEnd {
  /** The high watermark: the next offset to be written. */
  readonly written: number;
  /** The last stable offset. Records from here on lie behind an open transaction, and are delivered once it ends. */
  readonly readable: number;
}

/** By topic and partition. */
export type LogEnds = ReadonlyMap<string, ReadonlyMap<number, LogEnd>>;

const KNOWN_VERSION = "2.2.4";
const CREATE_CLUSTER = "private:Kafka:createCluster";
const READ_UNCOMMITTED = 0;
const READ_COMMITTED = 1;

/** The part of kafkajs's cluster that lists offsets. */
export interface OffsetCluster {
  isolationLevel: number;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addTargetTopic(topic: string): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  fetchTopicsOffset(topics: readonly TopicWanted[]): Promise<readonly TopicOffsets[]>;
}

interface TopicWanted {
  readonly topic: string;
  readonly fromBeginning: false;
  readonly partitions: readonly { readonly partition: number }[];
}

interface TopicOffsets {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
}

/**
 * The ends of the logs of these topics, without partitions that have no leader. It retries, a bounded number of times,
 * while leaders move.
 *
 * @throws when the brokers do not report an end, or do not know one of the topics.
 */
export function logEnds(
  kafka: Kafka,
  topics: readonly string[],
  deps: { readonly clock: Pick<Clock, "sleep">; readonly signal?: AbortSignal },
): Promise<LogEnds> {
  return askLeaders(
    () => offsetCluster(kafka),
    (cluster) => endsIn(cluster, topics),
    deps,
  );
}

/** The ends that a connected cluster reports for these topics. */
export async function endsIn(cluster: OffsetCluster, topics: readonly string[]): Promise<LogEnds> {
  for (const topic of topics) await cluster.addTargetTopic(topic);
  const wanted = topics.map((topic): TopicWanted => {
    const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId: partition }) => ({ partition }));
    return { topic, fromBeginning: false, partitions };
  });
  // The order matters: records that are written between the two queries can only increase the second number.
  cluster.isolationLevel = READ_COMMITTED;
  const readable = byTopic(await cluster.fetchTopicsOffset(wanted));
  cluster.isolationLevel = READ_UNCOMMITTED;
  const written = byTopic(await cluster.fetchTopicsOffset(wanted));
  return new Map(
    Array.from(written, ([topic, ends]) => [
      topic,
      new Map(
        Array.from(ends, ([partition, end]): [number, LogEnd] => [
          partition,
          { written: end, readable: readable.get(topic)?.get(partition) ?? end },
        ]),
      ),
    ]),
  );
}

/** Records of a topic that lie behind an open transaction. Markers of transaction ends count as well. */
export function behindTransactions(ends: ReadonlyMap<number, LogEnd> | undefined): number {
  return [...(ends?.values() ?? [])].reduce((sum, { written, readable }) => sum + Math.max(0, written - readable), 0);
}

function byTopic(answers: readonly TopicOffsets[]): ReadonlyMap<string, ReadonlyMap<number, number>> {
  return new Map(
    answers.map(({ topic, partitions }) => [
      topic,
      // A partition without a leader has no known offset.
      new Map(
        partitions
          .map(({ partition, offset }) => [partition, Number(offset)] as const)
          .filter(([, offset]) => offset >= 0),
      ),
    ]),
  );
}

/**
 * kafkajs's own cluster. Its admin lists offsets only for readers of committed records, and does not say so.
 *
 * @throws when kafkajs has another version: check then whether its admin takes an isolation level.
 */
export function offsetCluster<C = OffsetCluster>(kafka: Kafka, version = manifest.version): C {
  const symbol = Object.getOwnPropertySymbols(kafka).find(({ description }) => description === CREATE_CLUSTER);
  if (version !== KNOWN_VERSION || symbol === undefined) {
    throw new Error(`kafkajs is ${version}, and offsets are listed by ${KNOWN_VERSION} only`);
  }
  const create = Reflect.get(kafka, symbol) as (options: object) => C;
  return create({ allowAutoTopicCreation: false, isolationLevel: READ_COMMITTED });
}
