import type { PartitionArchiver } from "../writer/partition-archiver.ts";
import type { Tries } from "../writer/tries.ts";

/** How an archive stands, for operators. */
export interface ArchiveState {
  /** Whether the group has taken this process in. */
  readonly isJoined: boolean;
  /** The partitions that the group last gave this process. */
  readonly assigned: readonly number[];
  /** How many of them of which it is not known yet where their archive goes on. */
  readonly locating: number;
  /** Partitions whose archive does not hold what their log holds, or cannot be read. */
  readonly halted: readonly number[];
  /** Bytes of lines that wait. */
  readonly bytes: number;
  /** When the oldest verdict that waits was written, Unix milliseconds; undefined while none waits. */
  readonly oldestAt: number | undefined;
  /** Since when nothing that is due was tried; ticks of the clock. Undefined while nothing is due. */
  readonly idleSince: number | undefined;
  readonly failing: Tries["failing"];
}

/** What the state is read from. */
export interface ArchiveFacts extends Pick<ArchiveState, "isJoined" | "assigned" | "locating" | "halted"> {
  readonly works: readonly { readonly archiver: PartitionArchiver; readonly isMoving: boolean }[];
  readonly isFull: boolean;
  readonly tries: Pick<Tries, "failing" | "endedAt">;
  /** Ticks of the clock. */
  readonly now: number;
}

export function archiveState(facts: ArchiveFacts): ArchiveState {
  const { works, isJoined, assigned, locating, halted, isFull, tries, now } = facts;
  // What waits for an object's other lines, or for somebody to look, is not due.
  const moving = works.filter(({ isMoving }) => isMoving);
  const dueAt = earliest(moving.map(({ archiver }) => archiver.dueAt));
  const isDue = dueAt !== undefined && (isFull || dueAt <= now);
  return {
    isJoined,
    assigned,
    locating,
    halted,
    bytes: bytesOf(works),
    oldestAt: earliest(works.map(({ archiver }) => archiver.oldestAt)),
    // What became due after the last try waits since then.
    idleSince: isDue ? Math.max(tries.endedAt, isFull ? 0 : dueAt) : undefined,
    failing: tries.failing,
  };
}

/** Bytes of lines that wait, over all partitions. */
export function bytesOf(works: Iterable<{ readonly archiver: Pick<PartitionArchiver, "bytes"> }>): number {
  let bytes = 0;
  for (const { archiver } of works) bytes += archiver.bytes;
  return bytes;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
