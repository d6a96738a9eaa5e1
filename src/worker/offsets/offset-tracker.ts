import type { Commit, PartitionOffset, TopicPartition } from "../../kernel/stream.ts";
import type { Lane } from "../../messages/lane.ts";
import { type Assignment, Assignments } from "./assignments.ts";
import { encodeCompletedAhead } from "./completed-ahead.ts";
import { isFull, type LaneBounds } from "./lane-bounds.ts";
import { type OverdueLoad, type OverdueRoom, overdueLoadOf } from "./overdue-room.ts";
import type { OwnedPartition } from "./owned-partition.ts";
import type { Admission } from "./partition-ledger.ts";
import type { Head } from "./standing-heads.ts";

/** An admitted record and the epoch of its admission. Its work carries this value, and completes it. */
export interface Admitted extends PartitionOffset {
  readonly epoch: number;
}

/** A delivered record. */
export interface Delivery extends Admitted {
  readonly bytes: number;
  /** Whether it is past its deadline already. */
  readonly isOverdue?: boolean;
}

/** Events and bytes in flight in a lane, including work for lost partitions. */
export interface Load {
  readonly events: number;
  readonly bytes: number;
}

/** Partitions that the consumer must pause and resume now. */
export interface Changes {
  readonly pause: readonly TopicPartition[];
  readonly resume: readonly TopicPartition[];
}

/** Shared because there are nearly always no changes, and the tracker is asked at every record. */
const NO_CHANGES: Changes = { pause: [], resume: [] };

/**
 * Tracks the offsets of all partitions that this process owns. It decides when to pause and resume partitions, and what
 * to commit.
 *
 * At every join, the caller must `assign` each partition of the new assignment and `revoke` the others. It must then
 * ask for the changes, and ask again after every fetch and as work ends. A lane then holds at most its limit and one
 * fetch. Work for a lost partition moves no watermark. It counts in its lane until it ends, because it is in memory
 * until then.
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

  /**
   * @throws when the epoch is past, or when the partition is already owned or has work in it. Either is a bug that
   *   would mix assignments.
   */
  assign(assignment: Assignment<L>): void {
    this.#tenures.assign(assignment);
  }

  /** Begins a generation of the group. Its partitions may be assigned later, one by one. */
  begin(epoch: number): void {
    this.#tenures.begin(epoch);
  }

  /**
   * Releases a partition that the new assignment does not contain. For a partition that was released before, only
   * `isGone` counts.
   *
   * @param isGone whether the partition's log no longer exists. Its work in flight then stays with this process, and is
   *   committed nowhere.
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

  /**
   * Keeps a partition paused while its next records wait for a schema, or ends that. None of them is in flight meanwhile,
   * so they take no room from other partitions. A partition that was lost since is none.
   */
  hold(at: TopicPartition, isHeld: boolean): void {
    const owned = this.#tenures.ownedAt(at);
    if (owned !== undefined) owned.isHeld = isHeld;
  }

  /** Takes a record in; `lost` when it was delivered in an epoch that is over, and so is not ours to work on. */
  admit(delivery: Delivery): Admission | "lost" {
    const owned = this.#tenures.ownedAt(delivery);
    if (owned?.epoch !== delivery.epoch) return "lost";
    return owned.ledger.admit(delivery.offset, delivery.bytes, delivery.isOverdue);
  }

  /** Records that all offsets before `until` that were not delivered in this epoch have no record. */
  pass({ topic, partition, epoch }: TopicPartition & { readonly epoch: number }, until: number): void {
    const owned = this.#tenures.ownedAt({ topic, partition });
    if (owned?.epoch === epoch) owned.ledger.pass(until);
  }

  /**
   * Whether an admitted record still belongs to this process: its partition stayed here since, or its log no longer
   * exists.
   */
  isOurs(record: Admitted): boolean {
    return this.#tenures.isKept(record, record.epoch);
  }

  /**
   * Whether the partition's span exceeds half of its limit. A record that can come back later should then not wait in
   * the partition.
   */
  isCrowded(at: TopicPartition): boolean {
    const owned = this.#tenures.ownedAt(at);
    return owned !== undefined && owned.ledger.span > this.#bounds[owned.lane].span / 2;
  }

  /**
   * Marks an admitted record as completed. Work for a lost partition must call this as well, even after it was given
   * up. The call frees the room of the record.
   *
   * @returns whether the record counts towards a commit: the partition stayed here since its admission.
   * @throws when a record was never admitted, or is completed twice before the watermark has passed it.
   */
  settle(record: Admitted): boolean {
    if (this.#tenures.ownedAt(record)?.ledger.isOverdue(record.offset) === true) this.#overdueRoom?.settled();
    return this.#tenures.settle(record, record.epoch, record.offset);
  }

  load(lane: L): Load {
    const load = { events: 0, bytes: 0 };
    // This runs at every record, so it allocates neither a list nor a function.
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
      // A partition without overdue records in flight is held up only where its next record was refused.
      if (owned.behind !== undefined && (owned.isHeldUp || ledger.overdue > 0)) {
        overdue ??= new Map(this.#lanes.map((each) => [each, this.#overdueLoad(each)]));
        owned.isHeldUp = this.#isHeldUp(owned, overdue.get(lane));
      }
      const isPaused = this.#fullLanes.has(lane) || owned.isTooWide || owned.isHeldUp || owned.isHeld;
      if (isPaused !== owned.isPaused) {
        changes ??= { pause: [], resume: [] };
        (isPaused ? changes.pause : changes.resume).push({ topic, partition });
      }
      owned.isPaused = isPaused;
    }
    return changes ?? NO_CHANGES;
  }

  /**
   * Watermarks of the partitions that are assigned in the current epoch, with the completed offsets beyond each
   * watermark. Only what is not known to be committed is returned.
   */
  commits(): readonly Commit[] {
    const moved: Commit[] = [];
    for (const owned of this.#tenures.owned()) {
      const { topic, partition, epoch, ledger, confirmed, confirmedChanges } = owned;
      const { watermark, changes } = ledger;
      if (epoch !== this.#tenures.epoch || (watermark <= confirmed && changes === confirmedChanges)) continue;
      owned.offered = { watermark, changes };
      const metadata = encodeCompletedAhead(watermark, ledger.settledAhead());
      moved.push({ topic, partition, offset: watermark, ...(metadata === "" ? {} : { metadata }) });
    }
    return moved;
  }

  /** The watermark of each partition that has work. */
  *heads(): Iterable<Head<L>> {
    for (const { topic, partition, lane, since, ledger } of this.#tenures.owned()) {
      if (ledger.depth > 0) yield { topic, partition, lane, since, offset: ledger.watermark };
    }
  }

  /**
   * Records a commit that the broker accepted. A commit beyond the watermark belongs to an earlier assignment and is
   * ignored.
   */
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
