import type { GroupPosition } from "../../kernel/stream.ts";

/** The last known state of one partition, from the brokers. */
interface Place {
  /** The first existing offset that is not committed. */
  readonly next: number;
  readonly end: number;
  /** The last time that the partition made progress or had no backlog, ticks of the clock. */
  readonly movedAt: number;
  /** The last time that the group committed an offset of the partition, ticks of the clock. */
  readonly committedAt: number;
  /** Time of writing of the record at `next`, Unix milliseconds. Undefined when it is unknown. */
  readonly oldestAt: number | undefined;
}

/** The time of a report from the brokers. */
export interface BrokerReport {
  /** Ticks of the clock. */
  readonly ticks: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * The records of a topic that the archive's group has not committed, by periodic reports from the brokers. It works
 * even when no member reads the topic, because a stuck archive sees no waiting verdicts. Pure.
 */
export class Backlog {
  #places = new Map<number, Place>();
  #told: BrokerReport | undefined;
  #excusedAt = 0;

  /** Until this time the archive was not responsible for a lack of progress, ticks of the clock. */
  get excusedAt(): number {
    return this.#excusedAt;
  }

  /** The time of the last report from the brokers, ticks of the clock. */
  get toldAt(): number | undefined {
    return this.#told?.ticks;
  }

  /** Partitions with uncommitted records, and the first uncommitted offset of each. */
  get behind(): ReadonlyMap<number, number> {
    const open = [...this.#places].filter(([, { next, end }]) => end > next);
    return new Map(open.map(([partition, { next }]) => [partition, next]));
  }

  /** Partitions with uncommitted records of unknown age and without progress since `since` (ticks of the clock). */
  undated(since: number): ReadonlyMap<number, number> {
    const isUndated = ([partition]: readonly [number, number]) => {
      const place = this.#places.get(partition);
      return place !== undefined && place.oldestAt === undefined && place.movedAt <= since;
    };
    return new Map([...this.behind].filter(isUndated));
  }

  /** Time of writing of the oldest uncommitted record, as far as known, Unix milliseconds. */
  get oldestAt(): number | undefined {
    let oldest: number | undefined;
    for (const partition of this.behind.keys()) {
      const at = this.#places.get(partition)?.oldestAt;
      if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at;
    }
    return oldest;
  }

  told(positions: ReadonlyMap<number, GroupPosition>, at: BrokerReport): void {
    const places = [...positions].map(([partition, position]): [number, Place] => {
      const before = this.#places.get(partition);
      // What was known stands until the log is known again.
      if (position.isLeaderless === true && before !== undefined) return [partition, before];
      const { end = 0 } = position;
      const next = firstUncommitted(position);
      const isBehind = end > next;
      if (isBehind && before?.next === next && before.end > next) return [partition, { ...before, end }];
      // The records arrived after the previous report of the brokers.
      const isNew = isBehind && before !== undefined && before.end === next;
      const oldestAt = isNew ? this.#told?.now : undefined;
      const committedAt = before !== undefined && next > before.next ? at.ticks : (before?.committedAt ?? 0);
      return [partition, { next, end, movedAt: at.ticks, committedAt, oldestAt }];
    });
    this.#places = new Map(places);
    this.#told = at;
  }

  /** Sets the time of writing of the oldest records of these partitions. */
  dated(partitions: Iterable<number>, oldestAt: number): void {
    for (const partition of partitions) {
      const place = this.#places.get(partition);
      if (place !== undefined) this.#places.set(partition, { ...place, oldestAt });
    }
  }

  /** The archive cannot make progress for external reasons, so the lack of progress is excused. */
  excused(ticks: number): void {
    this.#excusedAt = ticks;
  }

  /**
   * How long these partitions have had a backlog without progress, milliseconds. `all` counts since the last commit of
   * any of them; `one` is the time of the partition that is stalled longest.
   */
  still(ticks: number, isMeant: (partition: number) => boolean): { readonly all: number; readonly one: number } {
    const meant = [...this.#places].filter(([partition]) => isMeant(partition)).map(([, place]) => place);
    const open = meant.filter(({ next, end }) => end > next).map(({ movedAt }) => movedAt);
    if (open.length === 0) return { all: 0, one: 0 };
    const begun = Math.max(Math.min(...open), this.#excusedAt);
    const committedAt = Math.max(...meant.map((place) => place.committedAt));
    return { all: ticks - Math.max(begun, committedAt), one: ticks - begun };
  }
}

/** The first existing or future offset that is not committed. */
export function firstUncommitted({ committed, earliest, end = 0 }: GroupPosition): number {
  // A log that is shorter than the commit is a new log, and its records are not archived.
  return Math.max(committed !== undefined && committed <= end ? committed : earliest, earliest);
}
