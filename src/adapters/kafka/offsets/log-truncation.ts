/**
 * Where a leader epoch begins in a log that was read. The leader of a partition gives its epoch to every batch that it
 * appends, so two logs that have the same epoch at an offset are the same up to there. Source: KIP-101, KIP-279.
 */
export interface EpochStart {
  readonly epoch: number;
  /** No record before it is of this epoch. */
  readonly from: number;
}

/** What a leader tells of an epoch: the latest epoch up to it that its log holds, and where that one ends there. */
export interface EpochEnd {
  readonly epoch: number;
  readonly end: number;
}

/** How far a log holds what was read, by one answer of its leader. */
export interface Agreement {
  /**
   * The first offset at which it may hold another record; undefined where that is not known: the leader does not know the
   * epoch, or tells of a later one, as some do.
   */
  readonly until: number | undefined;
  /** Epochs to ask about next, ascending: of these, too, the log may hold less. Empty: the answer is exact. */
  readonly rest: readonly EpochStart[];
}

/**
 * @param read the epochs that were read, ascending.
 * @param answer what the leader of the log tells of the last one of them.
 */
export function agreement(read: readonly EpochStart[], answer: EpochEnd | undefined): Agreement {
  const asked = read.at(-1);
  const isKnown = asked !== undefined && answer !== undefined && answer.epoch >= 0 && answer.end >= 0;
  if (!isKnown || answer.epoch > asked.epoch) return { until: undefined, rest: [] };
  // An epoch that the leader's log does not hold was read from its first record on in another log.
  const other = read.find(({ epoch }) => epoch > answer.epoch);
  // An epoch that was not read replaced the end of an earlier one, of which it says nothing. Source: KIP-279.
  const isRead = read.some(({ epoch }) => epoch === answer.epoch);
  return {
    until: Math.min(answer.end, other?.from ?? Number.POSITIVE_INFINITY),
    rest: isRead ? [] : read.filter(({ epoch }) => epoch < answer.epoch),
  };
}

/** Of these epochs, what a commit at `offset` names: the epoch of the record before it, and the latest ones read. */
export function epochsToCommit(read: readonly EpochStart[], offset: number): readonly EpochStart[] {
  const before = read.findLastIndex(({ from }) => from < offset);
  const [first, ...later] = read.slice(Math.max(0, before));
  return first === undefined ? [] : [first, ...later.slice(-MOST_LATER)];
}

/** Chosen: records ahead of a commit span a few thousand offsets, in which leaders move once or twice. */
const MOST_LATER = 2;
