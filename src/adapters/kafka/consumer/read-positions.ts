import type { PartitionOffset, TopicPartition } from "../../../kernel/stream.ts";
import type { StartingPoint } from "../offsets/starting-points.ts";

/**
 * The read positions of one generation of a group, by partition. Pure: it returns decisions, and its owner executes
 * them.
 *
 * | state of a partition | entered when | what happens | left when |
 * | --- | --- | --- | --- |
 * | held back | the group assigned it, or a fetch came from an unexpected position | nothing is handed in | its position is known |
 * | read | its position is known | fetches that continue the last one are handed in | it is doubted, paused or lost |
 * | paused | the handler has no room | fetches are discarded and come again | the handler resumes it |
 */
export class ReadPositions {
  #assigned: readonly TopicPartition[] = [];
  /** Next offset to be read. */
  readonly #next = new Map<string, number>();
  /** Partitions that the handler sought, whatever the group committed. */
  readonly #sought = new Set<string>();
  /** Partitions that the handler paused. Pauses outlive a generation. */
  readonly #paused = new Set<string>();
  /**
   * First offset of a batch without records that arrived from an unexpected position. It counts when the batch arrives
   * again.
   */
  readonly #doubted = new Map<string, number>();
  /** Partitions with an unknown position. */
  #heldBack = new Set<string>();

  /** The partitions that the group assigned to this process. */
  get assigned(): readonly TopicPartition[] {
    return this.#assigned;
  }

  /** A generation begins. A partition is not read until its position is known. */
  joined(assigned: readonly TopicPartition[]): void {
    this.#assigned = assigned;
    this.#next.clear();
    this.#sought.clear();
    this.#doubted.clear();
    this.#heldBack = new Set(assigned.map(nameOf));
  }

  /** The handler pauses these partitions. */
  paused(at: readonly TopicPartition[]): void {
    for (const each of at) this.#paused.add(nameOf(each));
  }

  /** The handler resumes these partitions. @returns those that can be resumed now. */
  resumed<T extends TopicPartition>(at: readonly T[]): readonly T[] {
    for (const each of at) this.#paused.delete(nameOf(each));
    return at.filter((each) => !this.#heldBack.has(nameOf(each)));
  }

  /** The handler seeks to this offset. */
  sought(at: PartitionOffset): void {
    this.#sought.add(nameOf(at));
    this.#next.set(nameOf(at), at.offset);
  }

  /**
   * The positions of these partitions are known. @returns the positions to seek to, without partitions that the handler
   * sought itself.
   */
  located<T extends StartingPoint>(points: readonly T[]): readonly T[] {
    const seeks = points.filter((point) => !this.#sought.has(nameOf(point)));
    for (const point of seeks) this.#next.set(nameOf(point), point.offset);
    for (const point of points) this.#heldBack.delete(nameOf(point));
    return seeks;
  }

  /** A partition is no longer held back, and is read from here. */
  foundBack(at: PartitionOffset): void {
    this.#next.set(nameOf(at), at.offset);
    this.#heldBack.delete(nameOf(at));
  }

  /** Holds a partition back until `foundBack`. */
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
   * Checks a fetch that begins at `offset`.
   *
   * @returns undefined when the fetch continues the last one. Otherwise it was requested in another generation, or from
   * another position. The partition is then held back. The result is the offset to go on at, since the records in
   * between were not read.
   */
  astray({ offset, ...at }: PartitionOffset): number | undefined {
    const name = nameOf(at);
    const expected = this.#next.get(name);
    if (expected === undefined || expected === offset) return undefined;
    this.#heldBack.add(name);
    return expected;
  }

  /**
   * Checks a batch without readable records: transaction markers, and aborted records.
   *
   * @returns undefined when the batch counts as read. It continues the last fetch, or it came again for the expected
   * offset, so no record lies before it. Otherwise the offset to go on at, as for `astray`.
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

  /** Everything up to this offset, inclusive, was read or holds no readable record. */
  passed(at: TopicPartition, lastOffset: number): void {
    this.#next.set(nameOf(at), lastOffset + 1);
    this.#doubted.delete(nameOf(at));
  }

  /** The next offset to read of a partition; undefined while it is unknown. */
  nextOf(at: TopicPartition): number | undefined {
    return this.#next.get(nameOf(at));
  }

  /**
   * Unread records by topic. @param endOf the end of a partition's log at its last fetch; undefined without a fetch.
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

/** Topic names hold no slash, so the text is unambiguous. */
function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
