/** Stands in the place of an offset's bytes once it is settled. */
const SETTLED = -1;
/** Settled entries in front that are worth a copy of the rest. Guessed: a few pages of memory. */
const COMPACT_AT = 1_024;

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
 * gap until the record behind it settles: a commit never speaks of an offset that was not delivered. After a re-join
 * records arrive again, from the committed offset on.
 *
 * Invariant: the watermark never decreases and never passes an unsettled record. Every operation is O(1) amortised
 * where offsets are dense (logarithmic in the number of gaps), and memory is what was delivered above the watermark.
 */
export class PartitionLedger {
  /** Delivered offsets, ascending, from `#start` on; what lies before is below the watermark. */
  #offsets: number[] = [];
  /** Bytes of each of them, or `SETTLED`. */
  #sizes: number[] = [];
  #start = 0;
  #watermark: number;
  /** One more than the last offset that was delivered. */
  #head: number;
  #depth = 0;
  #bytes = 0;
  #changes = 0;
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
    for (let at = this.#start; at < this.#offsets.length; at++) {
      if (this.#sizes[at] === SETTLED) ahead.push(this.#offsetAt(at));
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

  /** Offsets from the watermark to the end of what was delivered: at most so many records come again after a crash. */
  get span(): number {
    return this.#head - this.#watermark;
  }

  /**
   * Takes a delivered record in.
   *
   * @throws when the offset lies in a gap: the record would be skipped, so the process must start again from the commit.
   */
  admit(offset: number, bytes: number): Admission {
    assertOffset(offset);
    if (offset < this.#watermark) return "settled";
    if (offset < this.#head) {
      const at = this.#find(offset);
      if (at === undefined) throw new Error(`offset ${offset} was passed over and comes only now`);
      return this.#sizes[at] === SETTLED ? "settled" : "in-flight";
    }
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error(`${bytes} is no number of bytes`);
    const isSettled = this.#before.delete(offset);
    this.#offsets.push(offset);
    this.#sizes.push(isSettled ? SETTLED : bytes);
    this.#head = offset + 1;
    if (isSettled) {
      if (this.#depth === 0) this.#advance();
      return "settled";
    }
    this.#depth++;
    this.#bytes += bytes;
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
    const bytes = this.#sizes[at] ?? SETTLED;
    if (bytes === SETTLED) throw new Error(`offset ${offset} is settled already`);
    this.#sizes[at] = SETTLED;
    this.#depth--;
    this.#bytes -= bytes;
    this.#changes++;
    if (at === this.#start) this.#advance();
    return true;
  }

  #advance(): void {
    while (this.#sizes[this.#start] === SETTLED) {
      this.#watermark = this.#offsetAt(this.#start) + 1;
      this.#start++;
    }
    if (this.#start < COMPACT_AT || 2 * this.#start < this.#offsets.length) return;
    this.#offsets = this.#offsets.slice(this.#start);
    this.#sizes = this.#sizes.slice(this.#start);
    this.#start = 0;
  }

  /**
   * Index of a delivered offset. Offsets ascend by at least one, so it can lie no further from either end than its
   * offset does: without gaps both ends give the same index, and only gaps are left to a binary search.
   */
  #find(offset: number): number | undefined {
    const last = this.#offsets.length - 1;
    let low = Math.max(this.#start, last - (this.#offsetAt(last) - offset));
    let high = Math.min(last, this.#start + (offset - this.#offsetAt(this.#start)));
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const found = this.#offsetAt(middle);
      if (found === offset) return middle;
      if (found < offset) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  /** NaN outside the array, which no comparison holds for. */
  #offsetAt(index: number): number {
    return this.#offsets[index] ?? Number.NaN;
  }
}

/** Kafka counts in 64 bits; a number is exact below 2^53, and one more than the offset must be, too. */
function assertOffset(offset: number): void {
  if (offset >= Number.MAX_SAFE_INTEGER) throw new Error(`offset ${offset} is too large: it must be below 2^53 - 1`);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Error(`${offset} is no offset`);
}
