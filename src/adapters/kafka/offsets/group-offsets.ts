import type { Admin } from "kafkajs";
import { withTimeout } from "../../../kernel/async.ts";
import type { GroupOffsets, GroupPosition, LogTimes } from "../../../kernel/stream.ts";
import { NoLeaderError } from "../topics/no-leader-error.ts";
import { areOther, decodeCommitMetadata, type TopicIds } from "./commit-metadata.ts";
import type { EpochStart } from "./log-truncation.ts";

/** The part of kafkajs's admin that knows where groups stand, which topics there are, and where logs begin. */
export type OffsetAdmin = Pick<Admin, "fetchOffsets" | "fetchTopicMetadata" | "fetchTopicOffsets">;

/** A client whose admin can be asked. */
export interface OffsetClient<A = OffsetAdmin> {
  admin(config: { readonly retry: { readonly retries: number } }): A & Pick<Admin, "connect" | "disconnect">;
}

/** The part that knows what was written when, as well. */
type TimesAdmin = OffsetAdmin & Pick<Admin, "fetchTopicOffsetsByTimestamp">;

/** Where a group stands in a partition, and where its log begins and ends. */
export interface PartitionOffsets extends GroupPosition {
  /** The offset that comes next. */
  readonly end: number;
  /** The id of this cluster; absent where the brokers tell none. */
  readonly clusterId?: string | undefined;
  /** The cluster that the commit was made in, where that is another one: it was mirrored, and names no topic of this one. */
  readonly mirroredFrom?: string | undefined;
  /** Leader epochs of what the commit says is read, ascending; absent where it names none of this topic. */
  readonly committedEpochs?: readonly EpochStart[] | undefined;
}

/** Who asks tries again itself; with kafkajs's own tries, one question might take minutes. */
const RETRY = { retries: 1 };
const DEADLINE_MS = 15_000;

/**
 * What a group has committed in a topic, and what the topic has, by partition.
 *
 * @throws {NoLeaderError} when a partition has no leader; whatever kafkajs throws when the brokers do not say.
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

/** The same, with partitions that have no leader marked as such. */
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
      // Below zero stands for none at all.
      const committed = offset >= 0 ? offset : undefined;
      const { topicId, clusterId, epochs, metadata } = decodeCommitMetadata(commit?.metadata ?? "");
      const isMirrored = areOther(clusterId, ids.clusterId);
      const committedEpochs = areOther(topicId, ids.topicId) ? undefined : epochs;
      const of = isMirrored ? { mirroredFrom: clusterId } : { committedId: topicId, committedEpochs };
      const position = { committed, ...of, metadata, ...ids };
      // An offset below zero stands for one that is not known.
      if (Number(low) < 0 || Number(high) < 0)
        return [partition, { ...position, earliest: 0, end: 0, isLeaderless: true }];
      return [partition, { ...position, earliest: Number(low), end: Number(high) }];
    }),
  );
}

/** Ids as Kafka prints them, as far as the brokers tell any. @throws when the topic is not there. */
export async function topicIdsOf(admin: Pick<Admin, "fetchTopicMetadata">, topic: string): Promise<TopicIds> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const [partition] = topics.find(({ name }) => name === topic)?.partitions ?? [];
  // kafkajs hands on what an answer says of a partition, and of a topic only its name.
  const idOf = (name: string) => {
    const id: unknown = partition === undefined ? undefined : Reflect.get(partition, name);
    return typeof id === "string" ? id : undefined;
  };
  return { topicId: idOf("topicId"), clusterId: idOf("clusterId") };
}

/**
 * `groupOffsets` over a connection of its own, with partitions that have no leader marked as such. @throws when the brokers do not say
 * within a quarter of a minute.
 */
export function askOffsets(
  client: OffsetClient,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, PartitionOffsets>> {
  const wanted = `where ${topic} begins and ends`;
  return asked(client, wanted, (admin) => offsetsByLeader(admin, groupId, topic));
}

/** Where one group stands, and what its logs know of time, asked anew each time. */
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

/** What `ask` finds out over a connection of its own. @throws when the brokers do not say in time. */
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
