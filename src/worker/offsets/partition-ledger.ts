import { InFlightOffsets } from "./in-flight.ts";

/** Stands in the place of an offset's bytes once it is settled. */
const SETTLED = -1;
/** Stands there for what is nothing to be read. */
const NOTHING = -2;

/**
 * What a delivered record is to its ledger: `new` is to be worked on; `in-flight` is worked on already, and that work
 * will settle it; `settled` needs nothing more.
 */
export type Admission = "new" | "in-flight" | "settled";

/**
 * What of one partition was delivered and what of that is settled. Records settle in any order; the watermark, the
 * offset to commit, is one more than the last record before which nothing is open.
 *
 * Offsets arrive in ascending order with legal gaps (compaction, control records). The watermark stays in front of a
 * gap until the record behind it settles, or until the gap is known to hold nothing to be read. After a re-join records
 * arrive again, from the committed offset on.
 *
 * Invariant: the watermark never decreases and never passes an unsettled record. Every operation is O(1) amortised
 * where offsets are dense (logarithmic in the number of gaps), and memory is what was delivered above the watermark.
 */
export class PartitionLedger {
  /** From the watermark on; the size of what is settled is `SETTLED`. */
  readonly #delivered = new InFlightOffsets();
  #watermark: number;
  /** One more than the last offset that was delivered. */
  #head: number;
  #depth = 0;
  #bytes = 0;
  #changes = 0;
  /** Of what is in flight: what was past its deadline when it was delivered, and its bytes. */
  readonly #overdue = new Set<number>();
  #overdueBytes = 0;
  /** Offsets that were settled by whoever had the partition before, and were not delivered here yet. */
  readonly #before: Set<number>;

  /**
   * @param firstOffset the committed offset, where delivery begins; everything below it is settled.
   * @param settled offsets past it that are settled, too.
   */
  constructor(firstOffset: number, settled: Iterable<number> = []) {
    assertOffset(firstOffset);
    this.#watermark = firstOffset;
    this.#head = firstOffset;
    this.#before = new Set(settled);
  }

  /** Counts what was settled here. */
  get changes(): number {
    return this.#changes;
  }

  /** Offsets past the watermark that are settled, delivered here or not. */
  settledAhead(): readonly number[] {
    const ahead = [...this.#before];
    for (let at = 0; at < this.#delivered.length; at++) {
      if (this.#delivered.sizeAt(at) === SETTLED) ahead.push(this.#delivered.offsetAt(at));
    }
    return ahead;
  }

  /** First offset that may be unsettled, and so the one to commit. */
  get watermark(): number {
    return this.#watermark;
  }

  /** Records that are delivered and not settled. */
  get depth(): number {
    return this.#depth;
  }

  /** Bytes of those records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of the records in flight, those that were past their deadline when they were delivered. */
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
   * Takes a delivered record in.
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
   * Marks a record settled, once its effect is durable.
   *
   * @returns false below the watermark, where it only says again what the group knows already.
   * @throws above the watermark, when the offset was never admitted or is settled: a bug that could move the watermark.
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

  /** Everything before `until` that was not delivered is nothing to be read: no commit waits for it. */
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
   * Index of a delivered offset. Offsets ascend by at least one, so it can lie no further from either end than its
   * offset does: without gaps both ends give the same index, and only gaps are left to a binary search.
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

/** Kafka counts in 64 bits; a number is exact below 2^53, and one more than the offset must be, too. */
function assertOffset(offset: number): void {
  if (offset >= Number.MAX_SAFE_INTEGER) throw new Error(`offset ${offset} is too large: it must be below 2^53 - 1`);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Error(`${offset} is no offset`);
}
