import { type LockSets, mayShare } from "./locks.ts";

/** How many of those that wait are looked at for one group. Bounds the work of a cut however long the queue is. */
export const CUT_WINDOW = 256;

/**
 * The group that goes next: the first that waits, and after it, in order, each that may share a request with all that
 * were taken before it. The first one always goes, so that nobody waits for ever.
 *
 * @returns at most `groupMax` of `waiting`, in its order; none of none.
 */
export function cutGroup<T extends { readonly locks: LockSets | undefined }>(
  waiting: readonly T[],
  groupMax: number,
): readonly T[] {
  const group: T[] = [];
  for (const candidate of waiting.slice(0, CUT_WINDOW)) {
    if (group.every((member) => mayShare(member.locks, candidate.locks))) group.push(candidate);
    if (group.length >= groupMax) break;
  }
  return group;
}

/** What a group that was refused as a whole goes on as. */
export function halves<T>(group: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)].filter(({ length }) => length > 0);
}
