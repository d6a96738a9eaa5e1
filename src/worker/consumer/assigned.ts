import type { PartitionOffset, RecordPosition, TopicPartition } from "../../kernel/stream.ts";
import { decodeSettledAhead } from "../offsets/completed-ahead.ts";
import type { OffsetTracker } from "../offsets/offset-tracker.ts";

/**
 * Which partitions are ours in this generation of the group, for an intake that learns of each with its first record;
 * and what the group has committed of them, or else where delivery begins.
 */
export class Assigned<L extends string> {
  readonly #intake: OffsetTracker<L>;
  readonly #laneOf: (topic: string) => L;
  /** Ours, by key; true once the intake knows it in this epoch. */
  #known = new Map<string, boolean>();
  readonly #committed = new Map<string, RecordPosition>();
  #partitions: readonly TopicPartition[] = [];
  #epoch = 0;

  constructor(intake: OffsetTracker<L>, laneOf: (topic: string) => L) {
    this.#intake = intake;
    this.#laneOf = laneOf;
  }

  /** Counts the generations that this process took part in. */
  get epoch(): number {
    return this.#epoch;
  }

  get partitions(): readonly TopicPartition[] {
    return this.#partitions;
  }

  /** @param gone partitions whose log is not there any more. */
  joined(assigned: readonly TopicPartition[], gone: readonly TopicPartition[] = []): void {
    const ours = new Map(assigned.map((at) => [keyOf(at), false]));
    for (const at of gone) if (!ours.has(keyOf(at))) this.#intake.revoke(at, true);
    for (const at of this.#partitions) if (!ours.has(keyOf(at))) this.#intake.revoke(at);
    this.#known = ours;
    this.#committed.clear();
    this.#partitions = assigned;
    this.#intake.begin(++this.#epoch);
  }

  /** What is known to be committed; a partition of which nothing is said begins with its first record. */
  located(places: readonly RecordPosition[]): void {
    for (const place of places) {
      this.#committed.set(keyOf(place), place);
      // At once: the generation may end before a record of the new log comes, and the next one would not know.
      if (place.isAnew === true) this.#intake.revoke(place, true);
    }
  }

  /** Makes the record's partition known, if it is ours. @returns whether it is. */
  begin(first: PartitionOffset): boolean {
    const key = keyOf(first);
    const isKnown = this.#known.get(key);
    if (isKnown === false) {
      const { topic, partition, offset } = first;
      const lane = this.#laneOf(topic);
      // What was handed in from elsewhere than the commit, on purpose, begins there.
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
  return decodeSettledAhead(offset, metadata).filter((settled) => settled < agreesUntil);
}

/** Topic names hold no slash. */
function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
