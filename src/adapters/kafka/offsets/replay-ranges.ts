import type { Admin } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import { GroupBusyError } from "../../../worker/consumer/errors.ts";
import type { OffsetRange } from "../../../worker/consumer/topic-range.ts";
import { groupOffsets, type OffsetAdmin } from "./group-offsets.ts";
import { isOfOtherTopic } from "./starting-points.ts";

/** The part of kafkajs's admin that tells where a group stands, and who is in it. */
export type ReplayAdmin = OffsetAdmin & Pick<Admin, "describeGroups">;

export interface RangesOptions {
  readonly topic: string;
  readonly groupId: string;
  /** From the first record that is there, wherever the group stands. */
  readonly all: boolean;
}

/** What a group has not dealt with of a topic, by partition, up to what is there now. */
export async function openRanges(
  admin: ReplayAdmin,
  { topic, groupId, all }: RangesOptions,
): Promise<readonly OffsetRange[]> {
  const offsets = await groupOffsets(admin, groupId, topic);
  return Array.from(offsets, ([partition, stands]) => {
    const { committed = 0, earliest, end } = stands;
    // A group that is past the end stood in another topic of that name.
    const isUsable = !all && committed <= end && !isOfOtherTopic(stands);
    return { topic, partition, from: isUsable ? Math.max(committed, earliest) : earliest, end };
  });
}

const LOOK_EVERY_MS = 1_000;

/**
 * Resolves once the group has no member. One that was killed stays until its session ends.
 *
 * @throws {GroupBusyError} when it still has one after `patienceMs`.
 */
export async function untilEmpty(
  admin: ReplayAdmin,
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
