import { MAX_BATCH_ITEMS } from "../../../api/schemas/address-poisoning.ts";
import { quietLog } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/random.ts";
import type { Lane } from "../../../messages/lane.ts";
import { PositionAllocator } from "../../rate-limit/queue/position.ts";
import type { WeightOf } from "../../rate-limit/queue/request-queue.ts";
import type { Oldest } from "../../rate-limit/queue/waiter.ts";
import { AloneGroup } from "../ask-alone.ts";
import { Batch } from "../batch.ts";
import type { BatchEntry } from "../batch-entry.ts";
import type { Calibrations } from "../calibration/calibration.ts";
import { Searches } from "../failures/searches.ts";
import { type BisectionHalf, itemsIn, laneOf, type OutgoingBatch } from "../outgoing-batch.ts";
import type { ConfirmShare } from "../replies/confirm-share.ts";
import { Sharing } from "../sharing.ts";
import { type Allowance, RequestSize } from "./request-size.ts";
import { type Waiting, WaitingQueue } from "./waiting.ts";

/** Parts looked at in vain before a request is taken for as full as it gets. */
const PATIENCE = 64;

const NO_USERS: readonly never[] = [];

/** Where parts wait, and how requests are cut from them. */
export class Queues {
  readonly pooled: WaitingQueue;
  readonly alone: WaitingQueue;
  readonly confirming: WaitingQueue;
  /** What seems to be flagged by itself: asked again with others, among canaries and without its users. */
  readonly amongCanaries: WaitingQueue;
  readonly #searches: Searches;
  readonly #weightOf: WeightOf;
  readonly #calibrations: Calibrations;
  readonly #sharing: Sharing;
  readonly #random: Random;
  readonly #confirmShare: ConfirmShare;
  readonly #size: RequestSize;
  readonly #mayLeave: (flagged: WaitingQueue) => boolean;
  readonly #maxItems: number;
  #isPoolingOff = false;
  /** Requests made while both pooled and lonely parts waited. */
  #turns = 0;

  /**
   * @param mayLeave whether what was flagged is to be confirmed now, where it does not wait for company.
   * @param maxItems of a request.
   */
  constructor(
    calibrations: Calibrations,
    weightOf: WeightOf,
    random: Random,
    share: ConfirmShare,
    log = quietLog,
    mayLeave: (flagged: WaitingQueue) => boolean = () => true,
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
    this.pooled = new WaitingQueue(weightOf, places, maxItems);
    this.alone = new WaitingQueue(weightOf, places, maxItems);
    this.confirming = new WaitingQueue(weightOf, places, maxItems);
    this.amongCanaries = new WaitingQueue(weightOf, places, maxItems);
    this.#searches = new Searches(this.alone, () => this.#isPoolingOff);
  }

  /** What tenants weigh together that wait in a lane; of those that wait in several ways, the heaviest of these. */
  waits(lane: Lane): number {
    const halved = this.#searches.tenants(lane);
    const weights = [this.pooled, this.alone, ...this.flagged].map((queue) => queue.waits(lane));
    return Math.max(
      ...weights,
      [...halved].reduce((sum, tenant) => sum + this.#weightOf(tenant), 0),
    );
  }

  /** The oldest question in a lane and its tenants. Undefined while halves of a failed request wait: they have no age. */
  oldest(lane: Lane): Oldest | undefined {
    if (this.#searches.tenants(lane).size > 0) return undefined;
    const queues = [this.pooled, this.alone, ...this.flagged];
    const since = Math.min(...queues.map((queue) => queue.oldestIn(lane)?.since ?? Number.POSITIVE_INFINITY));
    return { since, tenants: new Set(queues.flatMap((queue) => [...queue.tenantsIn(lane)])) };
  }

  /** Where waits what was flagged in company. */
  get flagged(): readonly WaitingQueue[] {
    return [this.amongCanaries, this.confirming];
  }

  get isEmpty(): boolean {
    const { pooled, alone, amongCanaries, confirming } = this;
    return this.#searches.size + alone.size + amongCanaries.size + confirming.size + pooled.size === 0;
  }

  /** Whether anything waits that waits for no company. */
  get isUrgent(): boolean {
    if (this.#searches.size + this.alone.size > 0) return true;
    if (this.amongCanaries.size + this.confirming.size === 0) return false;
    return this.#mayConfirm() && this.flagged.some((queue) => queue.size > 0 && this.#mayLeave(queue));
  }

  /** Askers whose question is in no request yet. */
  get asks(): number {
    const { pooled, alone, amongCanaries, confirming } = this;
    return pooled.asks + alone.asks + amongCanaries.asks + confirming.asks + this.#searches.asks;
  }

  /**
   * What a request for `lane` is best used for, and for the other lane when nothing waits in this one; what place is left
   * goes to the other one in any case. Undefined when nothing is left, or when it had to be queued elsewhere first.
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
      // Who did not fit goes alone: of this request nothing is to be concluded.
      this.release(half);
      return cut;
    }
    const [alone, pooled] = [this.alone.waits(lane) > 0, this.pooled.waits(lane) > 0];
    const confirmation = this.#cutFlagged(lane);
    if (confirmation !== undefined) return confirmation;
    if (!alone && !pooled) return undefined;
    this.#confirmShare.other();
    // Of one lane, one waits for the other no longer than a request.
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

  /** As of the searches. */
  split(cut: OutgoingBatch, detail: string): void {
    this.#searches.split(cut, detail);
  }

  /** As of the searches. */
  splitFailed(failed: Pick<OutgoingBatch, "kind" | "waiting">): void {
    this.#searches.splitFailed(failed);
  }

  /** As of the searches. */
  isForFailure(cut: OutgoingBatch): boolean {
    return this.#searches.isForFailure(cut);
  }

  /** A request was answered. @returns whether something waits that was held back until then. */
  answered(cut: OutgoingBatch): boolean {
    if (cut.allowance !== undefined) this.#size.answered(cut.allowance, itemsIn(cut));
    return this.#searches.answered(cut);
  }

  /** As of the searches. */
  repeat(cut: OutgoingBatch): boolean {
    return this.#searches.repeat(cut);
  }

  /** As of the searches. */
  release(half: BisectionHalf): boolean {
    return this.#searches.release(half);
  }

  /** A request got a 429: perhaps for its size. */
  limited(cut: OutgoingBatch): void {
    if (cut.allowance !== undefined) this.#size.limited(cut.allowance, itemsIn(cut));
  }

  /** Everything that would be pooled is asked alone from now on. */
  stopPooling(): void {
    this.#isPoolingOff = true;
    for (const waiting of this.pooled.drain()) this.alone.push(waiting);
    for (const waiting of this.amongCanaries.drain()) this.confirming.push(waiting);
    for (const waiting of this.#searches.stopPooling()) this.alone.push(waiting);
  }

  /** What comes from now on may be pooled again. */
  allowPooling(): void {
    this.#isPoolingOff = false;
  }

  drain(): Waiting[] {
    const queued = [this.pooled, this.alone, ...this.flagged].flatMap((queue) => queue.drain());
    return [...queued, ...this.#searches.drain()];
  }

  #cutAlone(queue: WaitingQueue, lane: Lane): OutgoingBatch | undefined {
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
    const loners = new Set<Waiting>();
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

  /** What cannot stand beside canaries is confirmed alone. */
  #cutAmongCanaries(lane: Lane): OutgoingBatch | undefined {
    const allowance = this.#size.next(this.amongCanaries.items);
    const batch = new Batch(this.#calibrations, allowance.most);
    const loners = new Set<Waiting>();
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

  #pooledOf(waiting: readonly Waiting[]): OutgoingBatch | undefined {
    const batch = new Batch(this.#calibrations, this.#maxItems);
    const members: Waiting[] = [];
    for (const each of waiting) {
      if (batch.add(each.part)) members.push(each);
      else this.alone.push(each);
    }
    return this.#pooledCut(batch, members, laneOf({ waiting }));
  }

  #pooledCut(batch: Batch, waiting: readonly Waiting[], lane: Lane, allowance?: Allowance): OutgoingBatch | undefined {
    if (waiting.length === 0) return this.#cutAlone(this.alone, lane);
    return { kind: "pooled", waiting, batch: batch.seal(this.#random), allowance };
  }

  /** They were in one such request before, or are one: all of them fit. */
  #aloneOf(waiting: readonly Waiting[]): OutgoingBatch | undefined {
    const [first, ...others] = waiting;
    if (first === undefined) return undefined;
    const group = new AloneGroup(first.part, this.#maxItems);
    for (const { part } of others) group.add(part);
    return { kind: "alone", waiting, group };
  }
}
