import type { Admin } from "kafkajs";
import type { Clock } from "../../kernel/clock.ts";
import { GroupBusyError } from "../../worker/group/errors.ts";
import type { OffsetRange } from "../../worker/group/topic-range.ts";

/** The part of kafkajs's admin that tells where a group stands. */
export type OffsetAdmin = Pick<Admin, "fetchTopicOffsets" | "fetchOffsets" | "describeGroups">;

export interface RangesOptions {
  readonly topic: string;
  readonly groupId: string;
  /** From the first record that is there, wherever the group stands. */
  readonly all: boolean;
}

/** What a group has not dealt with of a topic, by partition, up to what is there now. */
export async function openRanges(
  admin: OffsetAdmin,
  { topic, groupId, all }: RangesOptions,
): Promise<readonly OffsetRange[]> {
  const there = await admin.fetchTopicOffsets(topic);
  const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const committed = new Map((found?.partitions ?? []).map(({ partition, offset }) => [partition, Number(offset)]));
  return there.map(({ partition, low, high }) => {
    const end = Number(high);
    const begun = committed.get(partition) ?? -1;
    // A group that is past the end stood in another topic of that name.
    const isUsable = !all && begun <= end;
    return { topic, partition, from: isUsable ? Math.max(begun, Number(low)) : Number(low), end };
  });
}

const LOOK_EVERY_MS = 1_000;

/**
 * Resolves once the group has no member. One that was killed stays until its session ends.
 *
 * @throws {GroupBusyError} when it still has one after `patienceMs`.
 */
export async function untilEmpty(
  admin: OffsetAdmin,
  groupId: string,
  { clock, patienceMs, signal }: { readonly clock: Clock; readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const deadline = clock.ticks() + patienceMs;
  for (;;) {
    const { groups } = await admin.describeGroups([groupId]);
    const members = groups.flatMap((group) => group.members);
    if (members.length === 0) return;
    if (clock.ticks() >= deadline) {
      throw new GroupBusyError(`another run reads in the group ${groupId}: let it end first`);
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}
