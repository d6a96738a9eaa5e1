import type { Admin } from "kafkajs";
import { withTimeout } from "../../../kernel/async.ts";
import type { GroupOffsets, GroupPosition, LogTimes } from "../../../kernel/stream.ts";
import { NoLeaderError } from "../topics/no-leader-error.ts";
import { areOther, decodeCommitMetadata, type TopicIds } from "./commit-metadata.ts";
import type { EpochStart } from "./log-truncation.ts";

/** The part of kafkajs's admin that knows committed offsets, topics, and the beginnings of logs. */
export type OffsetAdmin = Pick<Admin, "fetchOffsets" | "fetchTopicMetadata" | "fetchTopicOffsets">;

/** A client with an admin for queries. */
export interface OffsetClient<A = OffsetAdmin> {
  admin(config: { readonly retry: { readonly retries: number } }): A & Pick<Admin, "connect" | "disconnect">;
}

/** The admin that also knows offsets by timestamp. */
type TimesAdmin = OffsetAdmin & Pick<Admin, "fetchTopicOffsetsByTimestamp">;

/** The committed offset of a group in a partition, and the beginning and the end of the log. */
export interface PartitionOffsets extends GroupPosition {
  /** The next offset to be written. */
  readonly end: number;
  /** The id of this cluster; absent where the brokers report none. */
  readonly clusterId?: string | undefined;
  /**
   * The cluster that the commit was made in, where it is another one. Such a commit was mirrored, and its topic id is
   * not of this cluster.
   */
  readonly mirroredFrom?: string | undefined;
  /**
   * Leader epochs of the records that a commit marks as read, ascending. Absent where the commit has none of this
   * topic.
   */
  readonly committedEpochs?: readonly EpochStart[] | undefined;
}

/** The caller retries by itself. With the retries of kafkajs, one query might take minutes. */
const RETRY = { retries: 1 };
const DEADLINE_MS = 15_000;

/**
 * The committed offsets of a group in a topic, and the range of its log, by partition.
 *
 * @throws {NoLeaderError} when a partition has no leader. @throws any error of kafkajs when the brokers do not report
 * the offsets.
 */
export async function groupOffsets(
  admin: OffsetAdmin,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, PartitionOffsets>> {
  const offsets = await offsetsByLeader(admin, groupId, topic);
  const leaderless = [...offsets].filter(([, { isLeaderless }]) => isLeaderless === true);
  if (leaderless.length === 0) return offsets;
  throw new NoLeaderError(
    topic,
    leaderless.map(([partition]) => partition),
  );
}

/** The committed offsets and ranges, with a mark for partitions without a leader. */
async function offsetsByLeader(
  admin: OffsetAdmin,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, PartitionOffsets>> {
  const ids = await topicIdsOf(admin, topic);
  const commits = await admin.fetchOffsets({ groupId, topics: [topic] });
  const found = commits.find((each) => each.topic === topic)?.partitions ?? [];
  const known = new Map(found.map((each) => [each.partition, each]));
  const logs = await admin.fetchTopicOffsets(topic);
  return new Map(
    logs.map(({ partition, low, high }): [number, PartitionOffsets] => {
      const commit = known.get(partition);
      const offset = Number(commit?.offset ?? -1);
      // An offset below zero stands for no commit.
      const committed = offset >= 0 ? offset : undefined;
      const { topicId, clusterId, epochs, metadata } = decodeCommitMetadata(commit?.metadata ?? "");
      const isMirrored = areOther(clusterId, ids.clusterId);
      const committedEpochs = areOther(topicId, ids.topicId) ? undefined : epochs;
      const of = isMirrored ? { mirroredFrom: clusterId } : { committedId: topicId, committedEpochs };
      const position = { committed, ...of, metadata, ...ids };
      // An offset below zero stands for an unknown one.
      if (Number(low) < 0 || Number(high) < 0)
        return [partition, { ...position, earliest: 0, end: 0, isLeaderless: true }];
      return [partition, { ...position, earliest: Number(low), end: Number(high) }];
    }),
  );
}

/** The ids as Kafka prints them, as far as the brokers report any. @throws when the topic does not exist. */
export async function topicIdsOf(admin: Pick<Admin, "fetchTopicMetadata">, topic: string): Promise<TopicIds> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const [partition] = topics.find(({ name }) => name === topic)?.partitions ?? [];
  // kafkajs passes on all fields of a partition, but only the name of a topic.
  const idOf = (name: string) => {
    const id: unknown = partition === undefined ? undefined : Reflect.get(partition, name);
    return typeof id === "string" ? id : undefined;
  };
  return { topicId: idOf("topicId"), clusterId: idOf("clusterId") };
}

/**
 * `groupOffsets` over a separate connection, with a mark for partitions without a leader. @throws when the brokers do
 * not answer within a quarter of a minute.
 */
export function askOffsets(
  client: OffsetClient,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, PartitionOffsets>> {
  const wanted = `where ${topic} begins and ends`;
  return asked(client, wanted, (admin) => offsetsByLeader(admin, groupId, topic));
}

/** The committed offsets of one group, and the timestamps of its logs, with a new query each time. */
export function offsetsOf(client: OffsetClient<TimesAdmin>, groupId: string): GroupOffsets & LogTimes {
  return {
    positions: (topic) => askOffsets(client, groupId, topic),
    firstSince: (topic, at) =>
      asked(client, `what was written to ${topic} by then`, async (admin) => {
        const found = await admin.fetchTopicOffsetsByTimestamp(topic, Math.max(0, Math.floor(at)));
        return new Map(
          found
            .map(({ partition, offset }) => [partition, Number(offset)] as const)
            .filter(([, offset]) => offset >= 0),
        );
      }),
  };
}

/** The result of `ask` over a separate connection. @throws when the brokers do not answer in time. */
function asked<T, A>(client: OffsetClient<A>, wanted: string, ask: (admin: A) => Promise<T>): Promise<T> {
  const work = async () => {
    const admin = client.admin({ retry: RETRY });
    await admin.connect();
    try {
      return await ask(admin);
    } finally {
      await admin.disconnect();
    }
  };
  return withTimeout(DEADLINE_MS, `the brokers did not say ${wanted}`, work());
}
