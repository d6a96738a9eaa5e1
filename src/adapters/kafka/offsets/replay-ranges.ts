import type { Admin } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import { GroupBusyError } from "../../../worker/consumer/errors.ts";
import type { OffsetRange } from "../../../worker/consumer/topic-range.ts";
import { groupOffsets, type OffsetAdmin } from "./group-offsets.ts";
import { isOfOtherTopic } from "./starting-points.ts";

/** The part of kafkajs's admin that knows the committed offsets and the members of a group. */
export type ReplayAdmin = OffsetAdmin & Pick<Admin, "describeGroups">;

export interface RangesOptions {
  readonly topic: string;
  readonly groupId: string;
  /** From the first present record, whatever the group committed. */
  readonly all: boolean;
}

/** The records of a topic that a group has not completed, by partition, up to the present end. */
export async function openRanges(
  admin: ReplayAdmin,
  { topic, groupId, all }: RangesOptions,
): Promise<readonly OffsetRange[]> {
  const offsets = await groupOffsets(admin, groupId, topic);
  return Array.from(offsets, ([partition, stands]) => {
    const { committed = 0, earliest, end } = stands;
    // A committed offset beyond the end belongs to another topic with the same name.
    const isUsable = !all && committed <= end && !isOfOtherTopic(stands);
    return { topic, partition, from: isUsable ? Math.max(committed, earliest) : earliest, end };
  });
}

const LOOK_EVERY_MS = 1_000;

/**
 * Resolves once the group has no member. A killed member stays until its session ends.
 *
 * @throws {GroupBusyError} when the group still has a member after `patienceMs`.
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
