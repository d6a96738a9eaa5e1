import type { TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import type { OwnedPartition } from "./owned-partition.ts";
import { PartitionLedger } from "./partition-ledger.ts";

/** A partition as the consumer group assigned it to this process. */
export interface Assignment<L extends string = Lane> extends TopicPartition {
  readonly lane: L;
  /** Counts the joins of this process. Each join increments it. */
  readonly epoch: number;
  /** The group's committed offset, where delivery starts (again). */
  readonly firstOffset: number;
  /** Offsets beyond `firstOffset` that the commit marks as completed. */
  readonly settled?: Iterable<number>;
}

/**
 * The partitions of this process, and lost partitions that still have work in flight.
 *
 * A partition that stays through a join keeps its ledger, so that redelivered records match the work in flight. There
 * are two exceptions: delivery starts beyond the watermark, or before the last known commit. Another member then had
 * the partition meanwhile, and a new assignment begins.
 */
export class Assignments<L extends string = Lane> {
  readonly #owned = new Map<string, OwnedPartition<L>>();
  /** Ended, with work that has not. */
  #lost: OwnedPartition<L>[] = [];
  #epoch = 0;
  /** Who was asked for last: records of one partition come and are settled by the hundred. */
  #last: OwnedPartition<L> | undefined;

  /** The latest epoch. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Begins a generation of the group. An owned partition counts in it only after it is assigned again. */
  begin(epoch: number): void {
    if (epoch <= this.#epoch) throw new Error(`epoch ${epoch} is past`);
    this.#epoch = epoch;
  }

  owned(): Iterable<OwnedPartition<L>> {
    return this.#owned.values();
  }

  lost(): Iterable<OwnedPartition<L>> {
    return this.#lost;
  }

  /**
   * @throws when the epoch is past, or when the partition is already owned or has work in it. Either is a bug that
   *   would mix assignments.
   */
  assign(assignment: Assignment<L>): void {
    const { topic, partition, lane, epoch, firstOffset } = assignment;
    const owned = this.ownedAt(assignment);
    const isAgain = owned?.epoch === epoch || this.#lostAt(assignment, epoch) !== undefined;
    if (epoch < this.#epoch || isAgain) throw new Error(`${keyOf(assignment)} is assigned again in epoch ${epoch}`);
    this.#epoch = epoch;
    if (
      owned !== undefined &&
      owned.lane === lane &&
      owned.confirmed <= firstOffset &&
      firstOffset <= owned.ledger.watermark
    ) {
      owned.epoch = epoch;
      owned.confirmed = firstOffset;
      owned.isPaused = undefined;
      return;
    }
    const ledger = new PartitionLedger(firstOffset, assignment.settled);
    this.revoke(assignment);
    const begun = {
      since: epoch,
      epoch,
      confirmed: firstOffset,
      confirmedChanges: 0,
      offered: undefined,
      isTooWide: false,
      behind: undefined,
      isHeldUp: false,
      isHeld: false,
      isGone: false,
      isPaused: undefined,
    };
    this.#last = undefined;
    this.#owned.set(keyOf(assignment), { topic, partition, lane, ledger, ...begun });
  }

  /**
   * Ends the assignment of a partition. For a partition that is not owned, only `isGone` is recorded, for its lost
   * assignments.
   */
  revoke(at: TopicPartition, isGone = false): void {
    const owned = this.ownedAt(at);
    for (const lost of isGone ? this.#lost : []) {
      if (lost.topic === at.topic && lost.partition === at.partition) lost.isGone = true;
    }
    if (owned === undefined) return;
    this.#last = undefined;
    this.#owned.delete(keyOf(at));
    owned.isGone = isGone;
    if (owned.ledger.depth > 0) this.#lost.push(owned);
  }

  ownedAt(at: TopicPartition): OwnedPartition<L> | undefined {
    const last = this.#last;
    if (last !== undefined && last.partition === at.partition && last.topic === at.topic) return last;
    const owned = this.#owned.get(keyOf(at));
    if (owned !== undefined) this.#last = owned;
    return owned;
  }

  /**
   * Whether a record that was admitted in `epoch` belongs to this process. Its partition stayed here since, or no other
   * process can read it.
   */
  isKept(at: TopicPartition, epoch: number): boolean {
    const owned = this.ownedAt(at);
    if (owned !== undefined && owned.since <= epoch) return true;
    return this.#lostAt(at, epoch)?.isGone === true;
  }

  /**
   * Marks a record that was admitted in `epoch` as completed.
   *
   * @returns whether its assignment continues and the record was not completed before.
   */
  settle(at: TopicPartition, epoch: number, offset: number): boolean {
    const owned = this.ownedAt(at);
    if (owned !== undefined && owned.since <= epoch) return owned.ledger.settle(offset);
    const lost = this.#lostAt(at, epoch);
    lost?.ledger.settle(offset);
    if (lost?.ledger.depth === 0) this.#lost = this.#lost.filter((tenure) => tenure !== lost);
    return false;
  }

  #lostAt({ topic, partition }: TopicPartition, epoch: number): OwnedPartition<L> | undefined {
    return this.#lost.find(
      (tenure) =>
        tenure.topic === topic && tenure.partition === partition && tenure.since <= epoch && epoch <= tenure.epoch,
    );
  }
}

/** Topic names contain no slash. */
function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
