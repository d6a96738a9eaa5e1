import type { PartitionOffset, RecordPosition, TopicPartition } from "../../kernel/stream.ts";
import { decodeCompletedAhead } from "../offsets/completed-ahead.ts";
import type { OffsetTracker } from "../offsets/offset-tracker.ts";

/**
 * The partitions of this process in the current generation of the group. Each partition is made known to the offset
 * tracker with its first record. The class also holds each committed position, or else the position where delivery
 * starts.
 */
export class Assigned<L extends string> {
  readonly #intake: OffsetTracker<L>;
  readonly #laneOf: (topic: string) => L;
  /** Partitions of this process, by key. True once the offset tracker knows the partition in this epoch. */
  #known = new Map<string, boolean>();
  readonly #committed = new Map<string, RecordPosition>();
  #partitions: readonly TopicPartition[] = [];
  #epoch = 0;

  constructor(intake: OffsetTracker<L>, laneOf: (topic: string) => L) {
    this.#intake = intake;
    this.#laneOf = laneOf;
  }

  /** Number of generations in which this process took part. */
  get epoch(): number {
    return this.#epoch;
  }

  get partitions(): readonly TopicPartition[] {
    return this.#partitions;
  }

  /** @param gone partitions of which the log no longer exists. */
  joined(assigned: readonly TopicPartition[], gone: readonly TopicPartition[] = []): void {
    const ours = new Map(assigned.map((at) => [keyOf(at), false]));
    for (const at of gone) if (!ours.has(keyOf(at))) this.#intake.revoke(at, true);
    for (const at of this.#partitions) if (!ours.has(keyOf(at))) this.#intake.revoke(at);
    this.#known = ours;
    this.#committed.clear();
    this.#partitions = assigned;
    this.#intake.begin(++this.#epoch);
  }

  /** Records the committed positions. A partition without a position starts with its first record. */
  located(places: readonly RecordPosition[]): void {
    for (const place of places) {
      this.#committed.set(keyOf(place), place);
      // The old log is released at once. The generation may end before a record of the new log comes. The next
      // generation would not know of the change.
      if (place.isAnew === true) this.#intake.revoke(place, true);
    }
  }

  /** Assigns the record's partition in the offset tracker, if this process owns it. @returns whether it does. */
  begin(first: PartitionOffset): boolean {
    const key = keyOf(first);
    const isKnown = this.#known.get(key);
    if (isKnown === false) {
      const { topic, partition, offset } = first;
      const lane = this.#laneOf(topic);
      // Records that are deliberately delivered from before the committed offset start there.
      const committed = this.#committed.get(key);
      const firstOffset = Math.min(committed?.offset ?? offset, offset);
      const settled = committed?.offset === firstOffset ? settledIn(committed) : [];
      this.#intake.assign({ topic, partition, lane, epoch: this.#epoch, firstOffset, settled });
      this.#known.set(key, true);
    }
    return isKnown !== undefined;
  }
}

/** What the commit says is settled past it, as far as the log holds the records that this was said of. */
function settledIn({
  offset,
  metadata = "",
  agreesUntil = Number.POSITIVE_INFINITY,
}: RecordPosition): readonly number[] {
  return decodeCompletedAhead(offset, metadata).filter((settled) => settled < agreesUntil);
}

/** Topic names hold no slash. */
function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
