import { formatOf } from "../../chains/address-format.ts";
import type { PoisoningBatchRequest } from "../../contract/address-poisoning.ts";
import type { Random } from "../../kernel/random.ts";
import { AloneGroup } from "./ask-alone.ts";
import { Batch } from "./batch.ts";
import type { Calibrations } from "./calibration.ts";
import { DistinctItems } from "./distinct-items.ts";
import type { Part } from "./part.ts";
import { splitRefused } from "./refused-items.ts";
import { BACKFILL_TURN, type Waiting, WaitingQueue } from "./waiting.ts";

/** One request, cut from what waits: with strangers and canaries, or with users that all of it has in common. */
export type Cut =
  | {
      readonly kind: "pooled";
      readonly waiting: readonly Waiting[];
      readonly batch: Batch;
      readonly request: PoisoningBatchRequest;
    }
  | { readonly kind: "alone"; readonly waiting: readonly Waiting[]; readonly group: AloneGroup };

/** Of the requests made while others wait, too, every so many is a confirmation. Source: design, "Confirm": 20 %. */
const CONFIRM_TURN = 5;
/** Parts looked at in vain before a request is taken for as full as it gets. */
const PATIENCE = 64;

/** Where parts wait, and how requests are cut from them. */
export class Queues {
  readonly pooled = new WaitingQueue();
  readonly alone = new WaitingQueue();
  readonly confirming = new WaitingQueue();
  /** Halves of refused requests, each to be sent by itself. */
  readonly #halves: Pick<Cut, "kind" | "waiting">[] = [];
  readonly #calibrations: Calibrations;
  readonly #random: Random;
  #isPoolingOff = false;
  /** Requests made while both confirmations and others waited. */
  #contested = 0;
  /** Requests made while both pooled and lonely parts waited. */
  #turns = 0;

  constructor(calibrations: Calibrations, random: Random) {
    this.#calibrations = calibrations;
    this.#random = random;
  }

  get isEmpty(): boolean {
    return !this.isUrgent && this.pooled.size === 0;
  }

  /** Whether anything waits that waits for no company. */
  get isUrgent(): boolean {
    return this.#halves.length + this.alone.size + this.confirming.size > 0;
  }

  /** Askers whose question is in no request yet. */
  get asks(): number {
    const halves = this.#halves.flatMap(({ waiting }) => waiting.map((each) => each.asks));
    return this.pooled.asks + this.alone.asks + this.confirming.asks + halves.reduce((sum, asks) => sum + asks, 0);
  }

  /** What one request is best used for. Undefined when nothing is left, or when it had to be queued elsewhere first. */
  cut(): Cut | undefined {
    const half = this.#halves.shift();
    if (half !== undefined) return half.kind === "pooled" ? this.#pooledOf(half.waiting) : this.#aloneOf(half.waiting);
    const othersWait = this.pooled.size + this.alone.size > 0;
    if (this.confirming.size > 0 && (!othersWait || ++this.#contested % CONFIRM_TURN === 0)) {
      return this.#cutAlone(this.confirming);
    }
    return this.#isTurnOfAlone() ? this.#cutAlone(this.alone) : this.#cutPooled();
  }

  /** Somebody waits now for what had time. */
  promote(waiting: Waiting): void {
    for (const queue of [this.pooled, this.alone, this.confirming]) queue.promote(waiting);
    // What is on its way, or waits for another try, is queued later.
    waiting.lane = "realtime";
  }

  /** A request was refused: what it held goes in two, so that the same bytes never travel twice. */
  split({ kind, waiting, ...cut }: Cut, detail: string): void {
    const parts = waiting.map(({ part }) => part);
    const request = "request" in cut ? cut.request : undefined;
    for (const half of splitRefused(parts, request, detail)) {
      const members = waiting.filter(({ part }) => half.includes(part));
      const apart = {};
      for (const member of members) member.half = apart;
      if (kind === "pooled" && this.#isPoolingOff) for (const member of members) this.alone.push(member);
      // Parts about one target may hold as much as all of them: pooled, that would be the same request again.
      else if (kind === "pooled" && itemsOf(half) === itemsOf(parts))
        for (const member of members) this.#halves.push({ kind: "alone", waiting: [member] });
      else if (members.length > 0) this.#halves.push({ kind: members.length === 1 ? "alone" : kind, waiting: members });
    }
  }

  /** Everything that would be pooled is asked alone from now on. */
  stopPooling(): void {
    this.#isPoolingOff = true;
    for (const waiting of this.pooled.drain()) this.alone.push(waiting);
    for (const { kind, waiting } of this.#halves.splice(0)) {
      if (kind === "pooled") for (const each of waiting) this.alone.push(each);
      else this.#halves.push({ kind, waiting });
    }
  }

  /** What comes from now on may be pooled again. */
  allowPooling(): void {
    this.#isPoolingOff = false;
  }

  drain(): Waiting[] {
    const queued = [this.pooled, this.alone, this.confirming].flatMap((queue) => queue.drain());
    return [...queued, ...this.#halves.splice(0).flatMap(({ waiting }) => waiting)];
  }

  /** Realtime goes first, but for the share of the backfill; otherwise one waits for the other no longer than a request. */
  #isTurnOfAlone(): boolean {
    const [alone, pooled] = [this.alone, this.pooled];
    if (alone.size === 0 || pooled.size === 0) return alone.size > 0;
    const isTurn = (every: number) => ++this.#turns % every === 0;
    const isHurried = alone.since("realtime") !== undefined;
    if (isHurried === (pooled.since("realtime") !== undefined)) return !isTurn(2);
    return isTurn(BACKFILL_TURN) !== isHurried;
  }

  #cutAlone(queue: WaitingQueue): Cut | undefined {
    let group: AloneGroup | undefined;
    let together: object | undefined;
    const waiting = queue.cut(({ part, half }) => {
      if (group !== undefined) return half === together && this.#mayGroup(part) && group.add(part);
      group = new AloneGroup(part);
      together = half;
      return true;
    }, PATIENCE);
    return group === undefined ? undefined : { kind: "alone", waiting, group };
  }

  /** Only where canaries show that a request of many is answered like many requests. */
  #mayGroup({ chain, target }: Part): boolean {
    const calibration = this.#calibrations(chain.family, formatOf(chain.family, target));
    return !this.#isPoolingOff && calibration?.canaries !== undefined;
  }

  #cutPooled(): Cut | undefined {
    const batch = new Batch(this.#calibrations);
    const loners: Waiting[] = [];
    let together: object | undefined;
    const taken = this.pooled.cut((waiting) => {
      if (batch.parts.length === 0) together = waiting.half;
      else if (batch.isFull || waiting.half !== together) return false;
      if (batch.add(waiting.part)) return true;
      if (!this.#standsAlone(waiting)) return false;
      loners.push(waiting);
      return true;
    }, PATIENCE);
    for (const loner of loners) this.alone.push(loner);
    return this.#pooledCut(
      batch,
      taken.filter((waiting) => !loners.includes(waiting)),
    );
  }

  #pooledOf(waiting: readonly Waiting[]): Cut | undefined {
    const batch = new Batch(this.#calibrations);
    const members: Waiting[] = [];
    for (const each of waiting) {
      if (batch.add(each.part)) members.push(each);
      else this.alone.push(each);
    }
    return this.#pooledCut(batch, members);
  }

  #pooledCut(batch: Batch, waiting: readonly Waiting[]): Cut | undefined {
    if (waiting.length === 0) return this.alone.size > 0 ? this.#cutAlone(this.alone) : undefined;
    return { kind: "pooled", waiting, batch, request: batch.request(this.#random) };
  }

  #aloneOf(waiting: readonly Waiting[]): Cut | undefined {
    const [first, ...others] = waiting;
    if (first === undefined) return undefined;
    const group = new AloneGroup(first.part);
    for (const other of others) group.add(other.part);
    return { kind: "alone", waiting, group };
  }

  /** Whether a part cannot even share a request with a canary: it names the canaries itself. */
  #standsAlone({ part }: Waiting): boolean {
    return !new Batch(this.#calibrations).add(part);
  }
}

/** How many items a request for these parts would hold. */
function itemsOf(parts: readonly Part[]): number {
  const items = new DistinctItems();
  for (const part of parts) items.add(part);
  return items.size;
}
