import kafkajs, { type PartitionAssigner } from "kafkajs";
import { murmur2 } from "../../../kernel/hash.ts";

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
const NAME = "weir-steady";
const VERSION = 0;

/**
 * Distributes the partitions of a topic among the members. Counts of two members differ by one at most. A partition
 * keeps its member as far as possible. Every pair of partition and member has its own weight (rendezvous hashing). So a
 * member that leaves or joins changes little for the others.
 *
 * kafkajs assigns partitions in turns, and one member more or less moves nearly all of them. Records in flight would
 * then be processed twice.
 */
export function shareOut(
  topic: string,
  partitions: readonly number[],
  members: readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const shares = new Map<string, number[]>(members.map((member) => [member, []]));
  const least = Math.floor(partitions.length / members.length);
  let withOneMore = partitions.length % members.length;
  const open = new Set(partitions);
  const pairs = partitions.flatMap((partition) =>
    members.map((member) => ({ partition, member, weight: weightOf(topic, partition, member) })),
  );
  // The member's name decides between equal weights, so the result does not depend on the member that computes it.
  pairs.sort((a, b) => b.weight - a.weight || (a.member < b.member ? -1 : 1));
  for (const { partition, member } of pairs) {
    const share = shares.get(member);
    if (share === undefined || !open.has(partition)) continue;
    if (share.length > least || (share.length === least && withOneMore === 0)) continue;
    if (share.length === least) withOneMore--;
    share.push(partition);
    open.delete(partition);
  }
  return shares;
}

function weightOf(topic: string, partition: number, member: string): number {
  return murmur2(Buffer.from(`${member} ${topic} ${partition}`)) >>> 0;
}

/** `shareOut` in the form of kafkajs. The leader of the group calls it for all members. */
export const steadyAssigner: PartitionAssigner = ({ cluster }) => ({
  name: NAME,
  version: VERSION,
  async assign({ members, topics }) {
    const names = members.map(({ memberId }) => memberId);
    const topicsOf = new Map(
      members.map(({ memberId, memberMetadata }) => [memberId, MemberMetadata.decode(memberMetadata)?.topics ?? []]),
    );
    const assignments = new Map(names.map((name): [string, Record<string, number[]>] => [name, {}]));
    for (const topic of topics) {
      const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
      for (const [name, share] of shareOut(
        topic,
        partitions,
        names.filter((name) => topicsOf.get(name)?.includes(topic)),
      )) {
        const assignment = assignments.get(name);
        if (assignment !== undefined && share.length > 0) assignment[topic] = [...share];
      }
    }
    return Array.from(assignments, ([memberId, assignment]) => ({
      memberId,
      memberAssignment: MemberAssignment.encode({ version: VERSION, assignment, userData: Buffer.alloc(0) }),
    }));
  },
  protocol({ topics }) {
    return { name: NAME, metadata: MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.alloc(0) }) };
  },
});
