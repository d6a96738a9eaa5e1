import type { Commit, PartitionOffset, TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import { type Assignment, Assignments } from "./assignments.ts";
import { encodeSettledAhead } from "./completed-ahead.ts";
import { isFull, type LaneBounds } from "./lane-bounds.ts";
import { type OverdueLoad, type OverdueRoom, overdueLoadOf } from "./overdue-room.ts";
import type { OwnedPartition } from "./owned-partition.ts";
import type { Admission } from "./partition-ledger.ts";
import type { Head } from "./standing-heads.ts";

/** A record that was admitted, and the epoch in which it was: what its work carries along and settles. */
export interface Admitted extends PartitionOffset {
  readonly epoch: number;
}

/** A record that was delivered. */
export interface Delivery extends Admitted {
  readonly bytes: number;
  /** Whether it is past its deadline already. */
  readonly isOverdue?: boolean;
}

/** What a lane holds, work for lost partitions included. */
export interface Load {
  readonly events: number;
  readonly bytes: number;
}

/** What the consumer is to do now. */
export interface Changes {
  readonly pause: readonly TopicPartition[];
  readonly resume: readonly TopicPartition[];
}

/** Nearly always there are none, and they are asked for at every record. */
const NO_CHANGES: Changes = { pause: [], resume: [] };

/**
 * What this process has taken in of every partition it owns: when to pause and resume, and what to commit.
 *
 * At every join, `assign` each partition of the new assignment and `revoke` the others, then ask for the changes; ask
 * again after every fetch, so that no lane holds more than its bound and one fetch, and as work ends. Work for a lost
 * partition moves no watermark; it takes room in its lane until it ends, since it is in memory until then.
 */
export class OffsetTracker<L extends string = Lane> {
  readonly #bounds: Readonly<Record<L, LaneBounds>>;
  readonly #tenures = new Assignments<L>();
  readonly #overdueRoom: OverdueRoom | undefined;
  readonly #lanes: readonly L[];
  readonly #fullLanes = new Set<L>();

  /** @param overdueRoom absent where events have no deadline. */
  constructor(bounds: Readonly<Record<L, LaneBounds>>, overdueRoom?: OverdueRoom) {
    this.#bounds = bounds;
    this.#overdueRoom = overdueRoom;
    this.#lanes = Object.keys(bounds) as L[];
  }

  /** @throws when the epoch is past, or the partition is owned or worked on in it already: a bug that would mix tenures. */
  assign(assignment: Assignment<L>): void {
    this.#tenures.assign(assignment);
  }

  /** A generation of the group begins; its partitions may be assigned later, one by one. */
  begin(epoch: number): void {
    this.#tenures.begin(epoch);
  }

  /**
   * Lets go of a partition that the new assignment does not name. Of one that was let go of before, nothing but `isGone`.
   *
   * @param isGone whether its log is not there any more: then what is in work stays ours, and is committed nowhere.
   */
  revoke(at: TopicPartition, isGone = false): void {
    this.#tenures.revoke(at, isGone);
  }

  /**
   * Whether a partition's next records may be taken in. Those that begin with an overdue one may not, while what is overdue
   * has no room: the partition is paused then, as the changes say.
   *
   * @param overdueAgeMs how old the first one is, milliseconds; undefined where it can be on time.
   */
  mayAdmit(at: TopicPartition, overdueAgeMs: number | undefined): boolean {
    const owned = this.#tenures.ownedAt(at);
    if (owned === undefined || this.#overdueRoom === undefined) return true;
    owned.behind = this.#overdueRoom.behind(owned.behind, overdueAgeMs);
    owned.isHeldUp = this.#isHeldUp(owned);
    return !owned.isHeldUp;
  }

  /** Takes a record in; `lost` when it was delivered in an epoch that is over, and so is not ours to work on. */
  admit(delivery: Delivery): Admission | "lost" {
    const owned = this.#tenures.ownedAt(delivery);
    if (owned?.epoch !== delivery.epoch) return "lost";
    return owned.ledger.admit(delivery.offset, delivery.bytes, delivery.isOverdue);
  }

  /** Everything before `until` that was not delivered in this epoch is nothing to be read. */
  pass({ topic, partition, epoch }: TopicPartition & { readonly epoch: number }, until: number): void {
    const owned = this.#tenures.ownedAt({ topic, partition });
    if (owned?.epoch === epoch) owned.ledger.pass(until);
  }

  /** Whether a record that was admitted is still this process's: its partition stayed ours since, or its log is gone. */
  isOurs(record: Admitted): boolean {
    return this.#tenures.isKept(record, record.epoch);
  }

  /** Whether its partition's span is past half its bound: then what can come back later should not wait in it. */
  isCrowded(at: TopicPartition): boolean {
    const owned = this.#tenures.ownedAt(at);
    return owned !== undefined && owned.ledger.span > this.#bounds[owned.lane].span / 2;
  }

  /**
   * Marks a record settled that was new when it was admitted. Work for a lost partition says so too, even when it was
   * given up: that frees its room.
   *
   * @returns whether this counts towards a commit: the partition stayed ours since the record was admitted.
   * @throws when a record was never admitted, or is settled twice before the watermark has passed it.
   */
  settle(record: Admitted): boolean {
    if (this.#tenures.ownedAt(record)?.ledger.isOverdue(record.offset) === true) this.#overdueRoom?.settled();
    return this.#tenures.settle(record, record.epoch, record.offset);
  }

  load(lane: L): Load {
    const load = { events: 0, bytes: 0 };
    // Asked about at every record: neither a list of them all nor a function is made.
    for (const owned of this.#tenures.owned()) if (owned.lane === lane) addTo(load, owned);
    for (const lost of this.#tenures.lost()) if (lost.lane === lane) addTo(load, lost);
    return load;
  }

  /**
   * What to pause and resume since this was last asked: every partition of a full lane, each whose span is too wide, and each
   * whose next record is overdue while that has no room.
   * After a join every partition is named once, as paused or as resumed. Takes time in the number of partitions.
   */
  changes(): Changes {
    for (const lane of this.#lanes) this.#weighLane(lane);
    let overdue: Map<L, OverdueLoad> | undefined;
    let changes: { readonly pause: TopicPartition[]; readonly resume: TopicPartition[] } | undefined;
    for (const owned of this.#tenures.owned()) {
      const { topic, partition, lane, ledger } = owned;
      owned.isTooWide = isFull(owned.isTooWide, ledger.span, this.#bounds[lane].span);
      if (owned.behind !== undefined) {
        overdue ??= new Map(this.#lanes.map((each) => [each, this.#overdueLoad(each)]));
        owned.isHeldUp = this.#isHeldUp(owned, overdue.get(lane));
      }
      const isPaused = this.#fullLanes.has(lane) || owned.isTooWide || owned.isHeldUp;
      if (isPaused !== owned.isPaused) {
        changes ??= { pause: [], resume: [] };
        (isPaused ? changes.pause : changes.resume).push({ topic, partition });
      }
      owned.isPaused = isPaused;
    }
    return changes ?? NO_CHANGES;
  }

  /**
   * Watermarks of the partitions assigned in the current epoch, with what is settled past them, as far as either is not
   * known to be committed.
   */
  commits(): readonly Commit[] {
    const moved: Commit[] = [];
    for (const owned of this.#tenures.owned()) {
      const { topic, partition, epoch, ledger, confirmed, confirmedChanges } = owned;
      const { watermark, changes } = ledger;
      if (epoch !== this.#tenures.epoch || (watermark <= confirmed && changes === confirmedChanges)) continue;
      owned.offered = { watermark, changes };
      const metadata = encodeSettledAhead(watermark, ledger.settledAhead());
      moved.push({ topic, partition, offset: watermark, ...(metadata === "" ? {} : { metadata }) });
    }
    return moved;
  }

  /** Of each partition that has work, where its watermark stands. */
  *heads(): Iterable<Head<L>> {
    for (const { topic, partition, lane, since, ledger } of this.#tenures.owned()) {
      if (ledger.depth > 0) yield { topic, partition, lane, since, offset: ledger.watermark };
    }
  }

  /** Notes a commit that the broker took. One past the watermark is of an earlier tenure and is passed over. */
  confirmed(commit: PartitionOffset): void {
    const owned = this.#tenures.ownedAt(commit);
    if (owned === undefined || commit.offset > owned.ledger.watermark) return;
    owned.confirmed = Math.max(owned.confirmed, commit.offset);
    if (owned.offered?.watermark === commit.offset) owned.confirmedChanges = owned.offered.changes;
  }

  #isHeldUp(owned: OwnedPartition<L>, all = this.#overdueLoad(owned.lane)): boolean {
    return this.#overdueRoom?.isFull(owned, all, this.#bounds[owned.lane]) ?? false;
  }

  #overdueLoad(lane: L): OverdueLoad {
    return overdueLoadOf(lane, this.#tenures.owned(), this.#tenures.lost());
  }

  #weighLane(lane: L): void {
    const { events, bytes } = this.load(lane);
    const wasFull = this.#fullLanes.has(lane);
    const bound = this.#bounds[lane];
    if (isFull(wasFull, events, bound.events) || isFull(wasFull, bytes, bound.bytes)) this.#fullLanes.add(lane);
    else this.#fullLanes.delete(lane);
  }
}

function addTo(load: { events: number; bytes: number }, { ledger }: Pick<OwnedPartition, "ledger">): void {
  load.events += ledger.depth;
  load.bytes += ledger.bytes;
}
