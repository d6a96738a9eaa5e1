import type { GroupPosition } from "../../kernel/stream.ts";

/** One partition as the brokers told of it. */
interface Place {
  /** The first offset that is there and not committed. */
  readonly next: number;
  readonly end: number;
  /** When it was last seen to go on, or to have nothing to go on with; ticks of the clock. */
  readonly movedAt: number;
  /** When the group last committed something of it; ticks of the clock. */
  readonly committedAt: number;
  /** When the record at `next` was written, Unix milliseconds; undefined: nobody knows. */
  readonly oldestAt: number | undefined;
}

/** When the brokers told. */
export interface BrokerReport {
  /** Of the clock. */
  readonly ticks: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * What a topic holds that its archive's group has not committed, as the brokers tell from time to time, whoever reads it or
 * does not: an archive that is stuck knows of no verdict that waits. Pure.
 */
export class Backlog {
  #places = new Map<number, Place>();
  #told: BrokerReport | undefined;
  #excusedAt = 0;

  /** Until when standing still was not the archive's own doing; ticks of the clock. */
  get excusedAt(): number {
    return this.#excusedAt;
  }

  /** When the brokers last told; ticks of the clock. */
  get toldAt(): number | undefined {
    return this.#told?.ticks;
  }

  /** Partitions with records that are not committed, and the first such offset of each. */
  get behind(): ReadonlyMap<number, number> {
    const open = [...this.#places].filter(([, { next, end }]) => end > next);
    return new Map(open.map(([partition, { next }]) => [partition, next]));
  }

  /** The same of those that have not gone on since then (ticks of the clock), and of which nobody knows how old they are. */
  undated(since: number): ReadonlyMap<number, number> {
    const isUndated = ([partition]: readonly [number, number]) => {
      const place = this.#places.get(partition);
      return place !== undefined && place.oldestAt === undefined && place.movedAt <= since;
    };
    return new Map([...this.behind].filter(isUndated));
  }

  /** When the oldest of them was written, as far as that is known; Unix milliseconds. */
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
      // What has come since then was not there when the brokers told before.
      const isNew = isBehind && before !== undefined && before.end === next;
      const oldestAt = isNew ? this.#told?.now : undefined;
      const committedAt = before !== undefined && next > before.next ? at.ticks : (before?.committedAt ?? 0);
      return [partition, { next, end, movedAt: at.ticks, committedAt, oldestAt }];
    });
    this.#places = new Map(places);
    this.#told = at;
  }

  /** The oldest records of these were written then. */
  dated(partitions: Iterable<number>, oldestAt: number): void {
    for (const partition of partitions) {
      const place = this.#places.get(partition);
      if (place !== undefined) this.#places.set(partition, { ...place, oldestAt });
    }
  }

  /** Nothing can be archived, and it is not for want of trying: that is no standing still. */
  excused(ticks: number): void {
    this.#excusedAt = ticks;
  }

  /**
   * For how long these partitions have had records to archive and did not go on, milliseconds: all of them, and the one that
   * stands still for the longest.
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

/** The first offset that is there, or comes, and is not committed. */
export function firstUncommitted({ committed, earliest, end = 0 }: GroupPosition): number {
  // A log that is shorter than the commit is another one: what it holds is not archived.
  return Math.max(committed !== undefined && committed <= end ? committed : earliest, earliest);
}
