/**
 * The beginning of a leader epoch in a log that was read. The leader of a partition writes its epoch into every batch
 * that it appends. So two logs with the same epoch at an offset are equal up to that offset. Source: KIP-101, KIP-279.
 */
export interface EpochStart {
  readonly epoch: number;
  /** No record before this offset belongs to the epoch. */
  readonly from: number;
}

/** A leader's report about an epoch: the latest epoch up to it in the leader's log, and the end of that epoch there. */
export interface EpochEnd {
  readonly epoch: number;
  readonly end: number;
}

/** How far a log holds the read records, by one answer of its leader. */
export interface Agreement {
  /**
   * The first offset at which the log may hold another record. Undefined where it is unknown: the leader does not know
   * the epoch, or reports a later one, as some leaders do.
   */
  readonly until: number | undefined;
  /** Epochs for the next request, ascending: the log may hold less of these, too. Empty: the answer is exact. */
  readonly rest: readonly EpochStart[];
}

/**
 * @param read the read epochs, ascending.
 * @param answer of the log's leader about the last read epoch.
 */
export function agreement(read: readonly EpochStart[], answer: EpochEnd | undefined): Agreement {
  const asked = read.at(-1);
  const isKnown = asked !== undefined && answer !== undefined && answer.epoch >= 0 && answer.end >= 0;
  if (!isKnown || answer.epoch > asked.epoch) return { until: undefined, rest: [] };
  // An epoch that the leader's log lacks was read from its first record on in another log.
  const other = read.find(({ epoch }) => epoch > answer.epoch);
  // An unread epoch replaced the end of an earlier one. The answer tells nothing about the earlier epoch. Source:
  // KIP-279.
  const isRead = read.some(({ epoch }) => epoch === answer.epoch);
  return {
    until: Math.min(answer.end, other?.from ?? Number.POSITIVE_INFINITY),
    rest: isRead ? [] : read.filter(({ epoch }) => epoch < answer.epoch),
  };
}

/** The epochs that a commit at `offset` has: the epoch of the record before it, and the latest read ones. */
export function epochsToCommit(read: readonly EpochStart[], offset: number): readonly EpochStart[] {
  const before = read.findLastIndex(({ from }) => from < offset);
  const [first, ...later] = read.slice(Math.max(0, before));
  return first === undefined ? [] : [first, ...later.slice(-MOST_LATER)];
}

/** Chosen: the records ahead of a commit span a few thousand offsets, in which leaders move once or twice. */
const MOST_LATER = 2;
