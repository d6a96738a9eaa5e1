import { type LockSets, mayShare } from "./locks.ts";

/**
 * Limit of waiting events that are considered for one group. It bounds the work per group, whatever the queue length.
 */
export const CUT_WINDOW = 256;

/**
 * The next group: the first waiting event, and each later event that may share a request with the whole group. The
 * first event always goes, so no event waits for ever.
 *
 * @returns at most `groupMax` of `waiting`, in order. Empty if none waits.
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

/** The parts in which a refused group is sent again. */
export function halves<T>(group: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)].filter(({ length }) => length > 0);
}
