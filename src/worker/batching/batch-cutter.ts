import { MAX_BATCH_ITEMS } from "../../api/schemas/address-poisoning.ts";
import { quietLog } from "../../kernel/log.ts";
import type { Random } from "../../kernel/retry.ts";
import type { Lane } from "../../messages/lane.ts";
import { PositionAllocator } from "../rate-limit/queue/position.ts";
import type { WeightOf } from "../rate-limit/queue/request-queue.ts";
import type { Oldest } from "../rate-limit/queue/waiter.ts";
import { AloneGroup } from "./ask-alone.ts";
import { Batch } from "./batch.ts";
import type { BatchEntry } from "./batch-entry.ts";
import type { CalibrationTable } from "./canary.ts";
import { Searches } from "./failures/searches.ts";
import { type BisectionHalf, itemsIn, laneOf, type OutgoingBatch } from "./outgoing-batch.ts";
import { EntryQueue, type QueuedEntry } from "./queue/entry-queue.ts";
import { type Allowance, RequestSize } from "./queue/request-size.ts";
import type { ConfirmShare } from "./replies/confirm-share.ts";
import { Sharing } from "./sharing.ts";

/** A request counts as full after this many consecutive entries that do not fit. */
const PATIENCE = 64;

const NO_USERS: readonly never[] = [];

/** The queues of waiting entries, and how requests are taken from them. */
export class BatchCutter {
  readonly pooled: EntryQueue;
  readonly alone: EntryQueue;
  readonly confirming: EntryQueue;
  /**
   * Entries that seem to be flagged by themselves. They are sent again in a batch with canaries, without their users.
   */
  readonly amongCanaries: EntryQueue;
  readonly #searches: Searches;
  readonly #weightOf: WeightOf;
  readonly #calibrations: CalibrationTable;
  readonly #sharing: Sharing;
  readonly #random: Random;
  readonly #confirmShare: ConfirmShare;
  readonly #size: RequestSize;
  readonly #mayLeave: (flagged: EntryQueue) => boolean;
  readonly #maxItems: number;
  #isPoolingOff = false;
  /** Requests that were made while entries waited both to be batched and to be sent alone. */
  #turns = 0;

  /**
   * @param mayLeave Whether flagged entries are confirmed now, and do not linger for others.
   * @param maxItems Limit of items in a request.
   */
  constructor(
    calibrations: CalibrationTable,
    weightOf: WeightOf,
    random: Random,
    share: ConfirmShare,
    log = quietLog,
    mayLeave: (flagged: EntryQueue) => boolean = () => true,
    maxItems = MAX_BATCH_ITEMS,
  ) {
    this.#maxItems = maxItems;
    this.#mayLeave = mayLeave;
    this.#size = new RequestSize(random, log, maxItems);
    this.#calibrations = calibrations;
    this.#sharing = new Sharing(calibrations);
    this.#weightOf = weightOf;
    this.#random = random;
    this.#confirmShare = share;
    const places = new PositionAllocator();
    this.pooled = new EntryQueue(weightOf, places, maxItems);
    this.alone = new EntryQueue(weightOf, places, maxItems);
    this.confirming = new EntryQueue(weightOf, places, maxItems);
    this.amongCanaries = new EntryQueue(weightOf, places, maxItems);
    this.#searches = new Searches(this.alone, () => this.#isPoolingOff);
  }

  /** Total weight of the tenants that wait in a lane. The queue with the largest total counts. */
  waits(lane: Lane): number {
    const halved = this.#searches.tenants(lane);
    const weights = [this.pooled, this.alone, ...this.flagged].map((queue) => queue.waits(lane));
    return Math.max(
      ...weights,
      [...halved].reduce((sum, tenant) => sum + this.#weightOf(tenant), 0),
    );
  }

  /**
   * The oldest question in a lane and its tenants. Undefined while halves of a failed request wait: halves have no age.
   */
  oldest(lane: Lane): Oldest | undefined {
    if (this.#searches.tenants(lane).size > 0) return undefined;
    const queues = [this.pooled, this.alone, ...this.flagged];
    const since = Math.min(...queues.map((queue) => queue.oldestIn(lane)?.since ?? Number.POSITIVE_INFINITY));
    return { since, tenants: new Set(queues.flatMap((queue) => [...queue.tenantsIn(lane)])) };
  }

  /** Queues of entries that were flagged in a batch. */
  get flagged(): readonly EntryQueue[] {
    return [this.amongCanaries, this.confirming];
  }

  get isEmpty(): boolean {
    const { pooled, alone, amongCanaries, confirming } = this;
    return this.#searches.size + alone.size + amongCanaries.size + confirming.size + pooled.size === 0;
  }

  /** Whether an entry waits that does not linger for others. */
  get isUrgent(): boolean {
    if (this.#searches.size + this.alone.size > 0) return true;
    if (this.amongCanaries.size + this.confirming.size === 0) return false;
    return this.#mayConfirm() && this.flagged.some((queue) => queue.size > 0 && this.#mayLeave(queue));
  }

  /** Events that wait for an entry which is in no request yet. */
  get asks(): number {
    const { pooled, alone, amongCanaries, confirming } = this;
    return pooled.asks + alone.asks + amongCanaries.asks + confirming.asks + this.#searches.asks;
  }

  /**
   * Takes the best request for `lane`, or for the other lane when `lane` is empty. Free space in the request goes to
   * the other lane in any case. Undefined when nothing is left, or when all entries moved to another queue first.
   */
  cut(lane: Lane): OutgoingBatch | undefined {
    const other = lane === "realtime" ? "backfill" : "realtime";
    return this.#cutFor(lane) ?? this.#cutFor(other);
  }

  #cutFor(lane: Lane): OutgoingBatch | undefined {
    const half = this.#searches.next(lane);
    if (half !== undefined) {
      this.#confirmShare.other();
      const cut = half.kind === "pooled" ? this.#pooledOf(half.waiting) : this.#aloneOf(half.waiting);
      if (cut?.kind === half.kind && cut.waiting.length === half.waiting.length) return { ...cut, search: half.search };
      // An entry that did not fit is sent alone, so this request says nothing about the search.
      this.release(half);
      return cut;
    }
    const [alone, pooled] = [this.alone.waits(lane) > 0, this.pooled.waits(lane) > 0];
    const confirmation = this.#cutFlagged(lane);
    if (confirmation !== undefined) return confirmation;
    if (!alone && !pooled) return undefined;
    this.#confirmShare.other();
    // Batched and lone entries of one lane alternate, so neither kind waits for more than one request of the other.
    const isTurnOfAlone = alone && (!pooled || ++this.#turns % 2 !== 0);
    return isTurnOfAlone ? this.#cutAlone(this.alone, lane) : this.#cutPooled(lane);
  }

  #cutFlagged(lane: Lane): OutgoingBatch | undefined {
    if (!this.#mayConfirm()) return undefined;
    for (const queue of this.flagged) {
      if (queue.waits(lane) === 0 || !this.#mayLeave(queue)) continue;
      const cut = queue === this.confirming ? this.#cutAlone(queue, lane) : this.#cutAmongCanaries(lane);
      if (cut === undefined) continue;
      this.#confirmShare.confirmed();
      return cut;
    }
    return undefined;
  }

  #mayConfirm(): boolean {
    return this.#confirmShare.isDue || this.pooled.size + this.alone.size === 0;
  }

  /** As `Searches.split`. */
  split(cut: OutgoingBatch, detail: string): void {
    this.#searches.split(cut, detail);
  }

  /** As `Searches.splitFailed`. */
  splitFailed(failed: Pick<OutgoingBatch, "kind" | "waiting">): void {
    this.#searches.splitFailed(failed);
  }

  /** As `Searches.isForFailure`. */
  isForFailure(cut: OutgoingBatch): boolean {
    return this.#searches.isForFailure(cut);
  }

  /**
   * A request was answered.
   *
   * @returns whether held entries became ready to be sent.
   */
  answered(cut: OutgoingBatch): boolean {
    if (cut.allowance !== undefined) this.#size.answered(cut.allowance, itemsIn(cut));
    return this.#searches.answered(cut);
  }

  /** As `Searches.repeat`. */
  repeat(cut: OutgoingBatch): boolean {
    return this.#searches.repeat(cut);
  }

  /** As `Searches.release`. */
  release(half: BisectionHalf): boolean {
    return this.#searches.release(half);
  }

  /** A request got a 429, perhaps because of its size. */
  limited(cut: OutgoingBatch): void {
    if (cut.allowance !== undefined) this.#size.limited(cut.allowance, itemsIn(cut));
  }

  /** Moves every entry that waits for a batch to the queue of lone entries. */
  stopPooling(): void {
    this.#isPoolingOff = true;
    for (const waiting of this.pooled.drain()) this.alone.push(waiting);
    for (const waiting of this.amongCanaries.drain()) this.confirming.push(waiting);
    for (const waiting of this.#searches.stopPooling()) this.alone.push(waiting);
  }

  /** Allows batching again for new entries. */
  allowPooling(): void {
    this.#isPoolingOff = false;
  }

  drain(): QueuedEntry[] {
    const queued = [this.pooled, this.alone, ...this.flagged].flatMap((queue) => queue.drain());
    return [...queued, ...this.#searches.drain()];
  }

  #cutAlone(queue: EntryQueue, lane: Lane): OutgoingBatch | undefined {
    const mayGroup = (part: BatchEntry) => !this.#isPoolingOff && this.#sharing.hasCanaries(part);
    let group: AloneGroup | undefined;
    let together: object | undefined;
    const waiting = queue.cut(
      lane,
      ({ part, half }) => {
        if (group !== undefined) return half === together && mayGroup(part) && group.add(part);
        group = new AloneGroup(part, this.#size.most);
        together = half;
        return true;
      },
      PATIENCE,
    );
    return group === undefined ? undefined : { kind: "alone", waiting, group };
  }

  #cutPooled(lane: Lane): OutgoingBatch | undefined {
    const allowance = this.#size.next(this.pooled.items);
    const batch = new Batch(this.#calibrations, allowance.most);
    const loners = new Set<QueuedEntry>();
    let together: object | undefined;
    const taken = this.pooled.cut(
      lane,
      (waiting) => {
        if (batch.isEmpty) together = waiting.half;
        else if (batch.isFull || waiting.half !== together) return false;
        if (batch.add(waiting.part)) return true;
        if (!this.#sharing.standsAlone(waiting.part, this.#size.most)) return false;
        loners.add(waiting);
        return true;
      },
      PATIENCE,
    );
    for (const loner of loners) this.alone.push(loner);
    const others = loners.size === 0 ? taken : taken.filter((waiting) => !loners.has(waiting));
    return this.#pooledCut(batch, others, lane, allowance);
  }

  /** An entry that cannot share a request with canaries is confirmed alone. */
  #cutAmongCanaries(lane: Lane): OutgoingBatch | undefined {
    const allowance = this.#size.next(this.amongCanaries.items);
    const batch = new Batch(this.#calibrations, allowance.most);
    const loners = new Set<QueuedEntry>();
    const taken = this.amongCanaries.cut(
      lane,
      (waiting) => {
        if (batch.isFull) return false;
        const part = { ...waiting.part, users: NO_USERS };
        if (batch.add(part)) return true;
        if (!this.#sharing.standsAlone(part, this.#size.most)) return false;
        loners.add(waiting);
        return true;
      },
      PATIENCE,
    );
    for (const loner of loners) this.confirming.push(loner);
    const waiting = taken.filter((each) => !loners.has(each));
    if (waiting.length === 0) return undefined;
    return { kind: "pooled", isAmongCanaries: true, waiting, batch: batch.seal(this.#random), allowance };
  }

  #pooledOf(waiting: readonly QueuedEntry[]): OutgoingBatch | undefined {
    const batch = new Batch(this.#calibrations, this.#maxItems);
    const members: QueuedEntry[] = [];
    for (const each of waiting) {
      if (batch.add(each.part)) members.push(each);
      else this.alone.push(each);
    }
    return this.#pooledCut(batch, members, laneOf({ waiting }));
  }

  #pooledCut(
    batch: Batch,
    waiting: readonly QueuedEntry[],
    lane: Lane,
    allowance?: Allowance,
  ): OutgoingBatch | undefined {
    if (waiting.length === 0) return this.#cutAlone(this.alone, lane);
    return { kind: "pooled", waiting, batch: batch.seal(this.#random), allowance };
  }

  /** All these entries fit, because they were in one such request before, or are one entry. */
  #aloneOf(waiting: readonly QueuedEntry[]): OutgoingBatch | undefined {
    const [first, ...others] = waiting;
    if (first === undefined) return undefined;
    const group = new AloneGroup(first.part, this.#maxItems);
    for (const { part } of others) group.add(part);
    return { kind: "alone", waiting, group };
  }
}
