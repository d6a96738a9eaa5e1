import type { ObjectCutter } from "../writer/object-cutter.ts";
import type { Tries } from "../writer/tries.ts";

/** The state of an archive, for operators. */
export interface ArchiveState {
  /** Whether this process is a member of the group. */
  readonly isJoined: boolean;
  /** The last assigned partitions of this process. */
  readonly assigned: readonly number[];
  /** The number of assigned partitions with an unknown archive position. */
  readonly locating: number;
  /** Partitions with an archive that differs from the log or cannot be read. */
  readonly halted: readonly number[];
  /** Bytes of lines that wait to be archived. */
  readonly bytes: number;
  /** Time of writing of the oldest waiting verdict, Unix milliseconds. Undefined while none waits. */
  readonly oldestAt: number | undefined;
  /** The time since which an object is due without an attempt, ticks of the clock. Undefined while nothing is due. */
  readonly idleSince: number | undefined;
  readonly failing: Tries["failing"];
}

/** The input of the state. */
export interface ArchiveFacts extends Pick<ArchiveState, "isJoined" | "assigned" | "locating" | "halted"> {
  readonly works: readonly { readonly archiver: ObjectCutter; readonly isMoving: boolean }[];
  readonly isFull: boolean;
  readonly tries: Pick<Tries, "failing" | "endedAt">;
  /** Ticks of the clock. */
  readonly now: number;
}

export function archiveState(facts: ArchiveFacts): ArchiveState {
  const { works, isJoined, assigned, locating, halted, isFull, tries, now } = facts;
  // Lines that wait for the rest of a stored object, or for an operator, are not due.
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
    // An object that became due after the last attempt waits since it became due.
    idleSince: isDue ? Math.max(tries.endedAt, isFull ? 0 : dueAt) : undefined,
    failing: tries.failing,
  };
}

/** Bytes of lines that wait, over all partitions. */
export function bytesOf(works: Iterable<{ readonly archiver: Pick<ObjectCutter, "bytes"> }>): number {
  let bytes = 0;
  for (const { archiver } of works) bytes += archiver.bytes;
  return bytes;
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
