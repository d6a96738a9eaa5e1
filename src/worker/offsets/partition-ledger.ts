import { InFlightOffsets } from "./in-flight.ts";

/** Replaces the byte count of a completed offset. */
const SETTLED = -1;
/** The byte count of an offset without a record. */
const NOTHING = -2;

/**
 * The state of a delivered record in its ledger. A `new` record must be processed. An `in-flight` record is being
 * processed, and that work will complete it. A `settled` record needs no work.
 */
export type Admission = "new" | "in-flight" | "settled";

/**
 * The delivered and the completed records of one partition. Records complete in any order. The watermark is the offset
 * to commit: all records before it are completed.
 *
 * Offsets arrive in ascending order with legal gaps (compaction, control records). The watermark stays before a gap
 * until the record after the gap is completed. It also passes a gap that is known to have no records. After a join,
 * records arrive again from the committed offset on.
 *
 * Invariant: the watermark never decreases and never passes an uncompleted record. Every operation is O(1) amortised
 * where offsets are dense (logarithmic in the number of gaps). Memory is linear in the offsets delivered above the
 * watermark.
 */
export class PartitionLedger {
  /** The offsets from the watermark on. The size of a completed offset is `SETTLED`. */
  readonly #delivered = new InFlightOffsets();
  #watermark: number;
  /** One more than the last delivered offset. */
  #head: number;
  #depth = 0;
  #bytes = 0;
  #changes = 0;
  /** Offsets in flight of records that were past their deadline at delivery, and the bytes of these records. */
  readonly #overdue = new Set<number>();
  #overdueBytes = 0;
  /** Offsets that the previous owner of the partition completed, and that were not delivered here yet. */
  readonly #before: Set<number>;

  /**
   * @param firstOffset the committed offset, where delivery starts. All offsets below it are completed.
   * @param settled completed offsets beyond `firstOffset`.
   */
  constructor(firstOffset: number, settled: Iterable<number> = []) {
    assertOffset(firstOffset);
    this.#watermark = firstOffset;
    this.#head = firstOffset;
    this.#before = new Set(settled);
  }

  /** Number of records that this process completed. */
  get changes(): number {
    return this.#changes;
  }

  /** Completed offsets beyond the watermark, delivered here or not. */
  settledAhead(): readonly number[] {
    const ahead = [...this.#before];
    for (let at = 0; at < this.#delivered.length; at++) {
      if (this.#delivered.sizeAt(at) === SETTLED) ahead.push(this.#delivered.offsetAt(at));
    }
    return ahead;
  }

  /** The offset to commit: the first that may be uncompleted. */
  get watermark(): number {
    return this.#watermark;
  }

  /** Number of records that are delivered and not completed. */
  get depth(): number {
    return this.#depth;
  }

  /** Bytes of the records that are delivered and not completed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Records in flight that were past their deadline at delivery. */
  get overdue(): number {
    return this.#overdue.size;
  }

  /** Whether this is one of them. */
  isOverdue(offset: number): boolean {
    return this.#overdue.has(offset);
  }

  /** Bytes of those records. */
  get overdueBytes(): number {
    return this.#overdueBytes;
  }

  /** Offsets from the watermark to the end of what was delivered: at most so many records come again after a crash. */
  get span(): number {
    return this.#head - this.#watermark;
  }

  /**
   * Admits a delivered record.
   *
   * @param isOverdue whether it is past its deadline already.
   * @throws when the offset lies in a gap: the record would be skipped, so the process must start again from the commit.
   */
  admit(offset: number, bytes: number, isOverdue = false): Admission {
    assertOffset(offset);
    if (offset < this.#watermark) return "settled";
    if (offset < this.#head) {
      const at = this.#find(offset);
      if (at === undefined) throw new Error(`offset ${offset} was passed over and comes only now`);
      return isOver(this.#delivered.sizeAt(at)) ? "settled" : "in-flight";
    }
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error(`${bytes} is no number of bytes`);
    const isSettled = this.#before.delete(offset);
    this.#delivered.push(offset, isSettled ? SETTLED : bytes);
    this.#head = offset + 1;
    if (isSettled) {
      if (this.#depth === 0) this.#advance();
      return "settled";
    }
    this.#depth++;
    this.#bytes += bytes;
    if (isOverdue) {
      this.#overdue.add(offset);
      this.#overdueBytes += bytes;
    }
    return "new";
  }

  /**
   * Marks a record as completed, once its effect is durable.
   *
   * @returns false below the watermark, because the group already knows that the record is completed.
   * @throws above the watermark, when the offset was never admitted or is already completed. Either is a bug that could
   *   move the watermark.
   */
  settle(offset: number): boolean {
    if (offset < this.#watermark) return false;
    const at = this.#find(offset);
    if (at === undefined) throw new Error(`offset ${offset} was never admitted`);
    const bytes = this.#delivered.sizeAt(at) ?? SETTLED;
    if (isOver(bytes)) throw new Error(`offset ${offset} is settled already`);
    this.#delivered.setSize(at, SETTLED);
    this.#depth--;
    this.#bytes -= bytes;
    if (this.#overdue.delete(offset)) this.#overdueBytes -= bytes;
    this.#changes++;
    if (at === 0) this.#advance();
    return true;
  }

  /** Records that all undelivered offsets before `until` have no record. No commit waits for them. */
  pass(until: number): void {
    if (until <= this.#head) return;
    assertOffset(until - 1);
    this.#delivered.push(until - 1, NOTHING);
    this.#head = until;
    if (this.#depth === 0) this.#advance();
  }

  #advance(): void {
    while (isOver(this.#delivered.sizeAt(0))) {
      this.#watermark = this.#delivered.offsetAt(0) + 1;
      this.#delivered.shift();
    }
  }

  /**
   * Index of a delivered offset. Offsets ascend by at least one. The distance in indices from either end is therefore
   * at most the distance in offsets. Without gaps both ends give the same index. With gaps a binary search finds it.
   */
  #find(offset: number): number | undefined {
    const delivered = this.#delivered;
    const last = delivered.length - 1;
    let low = Math.max(0, last - (delivered.offsetAt(last) - offset));
    let high = Math.min(last, offset - delivered.offsetAt(0));
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const found = delivered.offsetAt(middle);
      if (found === offset) return middle;
      if (found < offset) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

function isOver(size: number | undefined): boolean {
  return size !== undefined && size < 0;
}

/** Kafka offsets have 64 bits. A JavaScript number is exact below 2^53, and the offset plus one must be exact, too. */
function assertOffset(offset: number): void {
  if (offset >= Number.MAX_SAFE_INTEGER) throw new Error(`offset ${offset} is too large: it must be below 2^53 - 1`);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Error(`${offset} is no offset`);
}
