import type { TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import type { OwnedPartition } from "./owned-partition.ts";
import { PartitionLedger } from "./partition-ledger.ts";

/** A partition as the group gave it to this process. */
export interface Assignment<L extends string = Lane> extends TopicPartition {
  readonly lane: L;
  /** Counts the joins of this process; larger at each. */
  readonly epoch: number;
  /** The group's committed offset, where delivery begins (again). */
  readonly firstOffset: number;
  /** Offsets past it that the commit says are settled, too. */
  readonly settled?: Iterable<number>;
}

/**
 * Which partitions are this process's, and what it still works on of those that were.
 *
 * A partition that stays through a join keeps its ledger, so that records which come again meet the work in flight;
 * unless delivery begins past our watermark or before what was committed: then another member had it meanwhile, and its
 * tenure begins anew.
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

  /** A generation of the group begins: of what is owned nothing counts in it before it is assigned again. */
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

  /** @throws when the epoch is past, or the partition is owned or worked on in it already: a bug that would mix tenures. */
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
      isGone: false,
      isPaused: undefined,
    };
    this.#last = undefined;
    this.#owned.set(keyOf(assignment), { topic, partition, lane, ledger, ...begun });
  }

  /** Of a partition that is not owned, only says of what was lost that its log is gone. */
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

  /** Whether what was admitted in `epoch` is ours: the partition stayed here since, or no other process can read it. */
  isKept(at: TopicPartition, epoch: number): boolean {
    const owned = this.ownedAt(at);
    if (owned !== undefined && owned.since <= epoch) return true;
    return this.#lostAt(at, epoch)?.isGone === true;
  }

  /** Settles what was admitted in `epoch`. @returns whether that tenure goes on and this was not settled before. */
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

/** Topic names hold no slash. */
function keyOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
