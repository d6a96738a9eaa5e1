import type { Admin } from "kafkajs";
import type { GroupOffsets, GroupPosition } from "../../kernel/stream.ts";

/** The part of kafkajs's admin that knows. */
type OffsetAdmin = Pick<Admin, "connect" | "disconnect" | "fetchOffsets" | "fetchTopicOffsets">;

/** What a group has committed in a topic, with the word that stands beside it, and where each log begins. */
export function groupPositions(kafka: { admin(): OffsetAdmin }, groupId: string): GroupOffsets {
  return {
    async positions(topic) {
      const admin = kafka.admin();
      await admin.connect();
      try {
        const [commits] = await admin.fetchOffsets({ groupId, topics: [topic] });
        const logs = await admin.fetchTopicOffsets(topic);
        const known = new Map(commits?.partitions.map((each) => [each.partition, each]));
        return new Map(
          logs.map(({ partition, low }): [number, GroupPosition] => {
            const commit = known.get(partition);
            const offset = Number(commit?.offset ?? -1);
            // Below zero stands for none at all.
            const committed = offset >= 0 ? offset : undefined;
            return [partition, { committed, metadata: commit?.metadata ?? "", earliest: Number(low) }];
          }),
        );
      } finally {
        await admin.disconnect();
      }
    },
  };
}
