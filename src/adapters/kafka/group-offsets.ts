import type { Admin } from "kafkajs";
import type { GroupOffsets, GroupPosition } from "../../kernel/stream.ts";
import { within } from "../../kernel/within.ts";

/** The part of kafkajs's admin that knows where groups stand and logs begin. */
export type OffsetAdmin = Pick<Admin, "fetchOffsets" | "fetchTopicOffsets">;

/** A client whose admin can be asked. */
export interface OffsetClient {
  admin(config: { readonly retry: { readonly retries: number } }): OffsetAdmin & Pick<Admin, "connect" | "disconnect">;
}

/** Where a group stands in a partition, and where its log begins and ends. */
export interface PartitionOffsets extends GroupPosition {
  /** The offset that comes next. */
  readonly end: number;
}

/** Who asks tries again itself; with kafkajs's own tries, one question might take minutes. */
const RETRY = { retries: 1 };
const DEADLINE_MS = 15_000;

/** What a group has committed in a topic, and what the topic has, by partition. @throws when the brokers do not say. */
export async function groupOffsets(
  admin: OffsetAdmin,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, PartitionOffsets>> {
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
      return [partition, { committed, metadata: commit?.metadata ?? "", earliest: Number(low), end: Number(high) }];
    }),
  );
}

/** `groupOffsets` over a connection of its own. @throws when the brokers do not say within a quarter of a minute. */
export function askOffsets(
  client: OffsetClient,
  groupId: string,
  topic: string,
): Promise<ReadonlyMap<number, PartitionOffsets>> {
  const ask = async () => {
    const admin = client.admin({ retry: RETRY });
    await admin.connect();
    try {
      return await groupOffsets(admin, groupId, topic);
    } finally {
      await admin.disconnect();
    }
  };
  return within(DEADLINE_MS, `the brokers did not say where ${topic} begins and ends`, ask());
}

/** Where one group stands, asked anew each time. */
export function offsetsOf(client: OffsetClient, groupId: string): GroupOffsets {
  return { positions: (topic) => askOffsets(client, groupId, topic) };
}
