import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { StartingPoint } from "../offsets/starting-points.ts";

/** Where one generation of a group reads, partition by partition. Pure: it says what to do, and its owner does it. */
export class ReadPositions {
  #assigned: readonly TopicPartition[] = [];
  /** Next offset to be read. */
  readonly #next = new Map<string, number>();
  /** Where the handler wants to read, whatever the group committed. */
  readonly #sought = new Set<string>();
  /** What the handler wants paused; that outlives a generation. */
  readonly #paused = new Set<string>();
  /** Batches without records that came from elsewhere, by their first offset: whether they come again. */
  readonly #doubted = new Map<string, number>();
  /** Partitions whose place is not known. */
  #heldBack = new Set<string>();

  /** What the group gave to this process. */
  get assigned(): readonly TopicPartition[] {
    return this.#assigned;
  }

  /** A generation begins: until the place of each is known, none of them is read. */
  joined(assigned: readonly TopicPartition[]): void {
    this.#assigned = assigned;
    this.#next.clear();
    this.#sought.clear();
    this.#doubted.clear();
    this.#heldBack = new Set(assigned.map(nameOf));
  }

  /** The handler wants these paused. */
  paused(at: readonly TopicPartition[]): void {
    for (const each of at) this.#paused.add(nameOf(each));
  }

  /** The handler wants these read. @returns those that can be. */
  resumed<T extends TopicPartition>(at: readonly T[]): readonly T[] {
    for (const each of at) this.#paused.delete(nameOf(each));
    return at.filter((each) => !this.#heldBack.has(nameOf(each)));
  }

  /** The handler wants to read from here. */
  sought(at: PartitionOffset): void {
    this.#sought.add(nameOf(at));
    this.#next.set(nameOf(at), at.offset);
  }

  /** The places of these partitions are known. @returns where to seek, but for what the handler sought itself. */
  located<T extends StartingPoint>(points: readonly T[]): readonly T[] {
    const seeks = points.filter((point) => !this.#sought.has(nameOf(point)));
    for (const point of seeks) this.#next.set(nameOf(point), point.offset);
    for (const point of points) this.#heldBack.delete(nameOf(point));
    return seeks;
  }

  /** A partition is held back no more, and is read from here. */
  foundBack(at: PartitionOffset): void {
    this.#next.set(nameOf(at), at.offset);
    this.#heldBack.delete(nameOf(at));
  }

  /** A partition is not read until it is found back. */
  doubted(at: TopicPartition): void {
    this.#heldBack.add(nameOf(at));
  }

  isWanted(at: TopicPartition): boolean {
    return !this.#paused.has(nameOf(at));
  }

  isHeldBack(at: TopicPartition): boolean {
    return this.#heldBack.has(nameOf(at));
  }

  /**
   * Looks at what was fetched from `offset` on.
   *
   * @returns undefined when it follows on what was read. Otherwise it was fetched for another generation, or from another
   * place than ours: the partition is held back, and this is where it must go on, since what lies between was not read.
   */
  astray({ offset, ...at }: PartitionOffset): number | undefined {
    const name = nameOf(at);
    const expected = this.#next.get(name);
    if (expected === undefined || expected === offset) return undefined;
    this.#heldBack.add(name);
    return expected;
  }

  /**
   * Looks at a batch that held nothing to be read: markers of transactions, and what they aborted.
   *
   * @returns undefined when it counts as read: it follows on, or it came again when what lies before it was asked for, so
   * nothing does. Otherwise as `astray`.
   */
  emptied({ offset: first, ...at }: PartitionOffset, lastOffset: number): number | undefined {
    const name = nameOf(at);
    const expected = this.#next.get(name);
    if (expected === undefined || this.#heldBack.has(name)) return undefined;
    if (first <= expected || this.#doubted.get(name) === first) {
      if (lastOffset >= expected) this.passed(at, lastOffset);
      return undefined;
    }
    this.#doubted.set(name, first);
    this.#heldBack.add(name);
    return expected;
  }

  /** Everything up to this offset, inclusive, has been read, or is nothing to be read. */
  passed(at: TopicPartition, lastOffset: number): void {
    this.#next.set(nameOf(at), lastOffset + 1);
    this.#doubted.delete(nameOf(at));
  }

  /** Where a partition is read next; undefined while that is not known. */
  nextOf(at: TopicPartition): number | undefined {
    return this.#next.get(nameOf(at));
  }

  /**
   * Records that are written and not read yet, by topic. @param endOf where the log of a partition ended when it was last
   * fetched; undefined where it never was.
   */
  lag(endOf: (at: TopicPartition) => number | undefined): ReadonlyMap<string, number> {
    const lags = new Map<string, number>();
    for (const at of this.#assigned) {
      const [end, next] = [endOf(at), this.#next.get(nameOf(at))];
      if (end === undefined || next === undefined) continue;
      lags.set(at.topic, (lags.get(at.topic) ?? 0) + Math.max(0, end - next));
    }
    return lags;
  }
}

/** Topic names hold no slash. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
