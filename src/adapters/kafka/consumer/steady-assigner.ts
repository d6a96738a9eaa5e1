import kafkajs, { type PartitionAssigner } from "kafkajs";
import { murmur2 } from "../../../kernel/hash.ts";

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
const NAME = "weir-steady";
const VERSION = 0;

/**
 * Shares a topic's partitions out among members: to each as many as to any other, but for one, and to the same as long
 * as it is there, as far as that goes. Every pair of partition and member has a weight of its own (rendezvous hashing),
 * so that who leaves or joins changes little for the others.
 *
 * kafkajs deals partitions out in turns, and one member more or less gives nearly all of them another owner: what was
 * in work is then done twice.
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
  // The member's name decides between equal weights, so that it never matters who deals.
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

/** `shareOut` as kafkajs wants it: the member that leads the group calls it for all. */
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
