import { Heap } from "../../../kernel/collections.ts";
import { OrderedItems } from "./ordered-items.ts";

interface Flow<K, T> {
  readonly key: K;
  /** The items that wait. */
  readonly items: OrderedItems<T>;
  /** The start tag of the flow: the service it received so far, divided by its weight, on the queue's own clock. */
  start: number;
  /** Order of arrival. Among flows with equal tags, the first to arrive is served first. */
  readonly order: number;
}

/**
 * Number of idle flows that are remembered with the service they received. A forgotten flow gets slightly more service
 * later.
 */
const MAX_IDLE = 10_000;

/**
 * A queue that serves several flows (tenants) by weight, and the items of a flow by position. An item may belong to
 * several flows. It leaves all its flows at once, and the flow that is served next pays for it. A flow that comes back
 * starts at the queue's current tag, or at its own if that is later. Idle time earns no service, and leaving does not
 * erase service.
 *
 * While two flows wait, the service they received differs, by weight, by at most one item of each. Source: Goyal, Vin
 * and Cheng, "Start-time Fair Queuing", SIGCOMM 1996, theorem 1.
 */
export class FairQueue<K, T> {
  readonly #weightOf: (key: K) => number;
  readonly #costOf: (item: T) => number;
  readonly #keysOf: (item: T) => readonly K[];
  readonly #placeOf: (item: T) => number;
  readonly #flows = new Map<K, Flow<K, T>>();
  /** The start tags of idle flows. */
  readonly #idle = new Map<K, number>();
  #size = 0;
  /** The item that waits longest, cached until it leaves. The linger timer asks for it with every event. */
  #first: readonly [item: T, place: number] | undefined;
  #now = 0;
  #orders = 0;

  /**
   * @param keysOf the flows of an item. More flows may be added while the item waits.
   * @param placeOf the position of an item among all that came to the queue. Lower positions are served first.
   */
  constructor(
    weightOf: (key: K) => number,
    costOf: (item: T) => number,
    keysOf: (item: T) => readonly K[],
    placeOf: (item: T) => number,
  ) {
    this.#weightOf = weightOf;
    this.#costOf = costOf;
    this.#keysOf = keysOf;
    this.#placeOf = placeOf;
  }

  get size(): number {
    return this.#size;
  }

  /** The item that waits longest. */
  get first(): T | undefined {
    this.#first ??= this.#oldest();
    return this.#first?.[0];
  }

  /** The first item of a flow. */
  firstOf(key: K): T | undefined {
    return this.#flows.get(key)?.items.first?.[0];
  }

  /** The flows that have waiting items. */
  get keys(): Iterable<K> {
    return this.#flows.keys();
  }

  /** All waiting items, flow by flow. An item of several flows appears several times. */
  *all(): Generator<T> {
    for (const { items } of this.#flows.values()) yield* items.items();
  }

  /** Adds `item`, at its position, to each of its flows that does not have it yet. */
  push(item: T): void {
    const place = this.#placeOf(item);
    if (this.#first !== undefined && place < this.#first[1]) this.#first = undefined;
    let isNew = true;
    for (const key of this.#keysOf(item)) {
      const { items } = this.#flows.get(key) ?? this.#begin(key);
      if (items.has(item)) isNew = false;
      else items.add(item, place);
    }
    if (isNew) this.#size++;
  }

  /**
   * All waiting items, one at a time, in the order of service. A skipped item costs its flow its place in this
   * iteration only. The caller must `take` an item that it serves before it asks for the next one.
   */
  inOrder(): Cursor<K, T> {
    return new Cursor(this.#flows.values(), this.#weightOf, this.#costOf);
  }

  /** Serves `item`. The item leaves, and the flow of it with the earliest start tag pays. */
  take(item: T): void {
    const payer = this.#takeOut(item);
    if (payer === undefined) return;
    this.#now = Math.max(this.#now, payer.start);
    payer.start += this.#costOf(item) / this.#weightOf(payer.key);
    this.#left(item);
  }

  /** Removes `item` without serving it. */
  remove(item: T): void {
    if (this.#takeOut(item) !== undefined) this.#left(item);
  }

  #oldest(): readonly [item: T, place: number] | undefined {
    let oldest: readonly [item: T, place: number] | undefined;
    for (const { items } of this.#flows.values()) {
      const { first } = items;
      if (first !== undefined && (oldest === undefined || first[1] < oldest[1])) oldest = first;
    }
    return oldest;
  }

  /** @returns the flow of `item` with the earliest start tag; undefined when the item does not wait. */
  #takeOut(item: T): Flow<K, T> | undefined {
    if (item === this.#first?.[0]) this.#first = undefined;
    let first: Flow<K, T> | undefined;
    for (const key of this.#keysOf(item)) {
      const flow = this.#flows.get(key);
      if (flow?.items.delete(item) === true && (first === undefined || flow.start < first.start)) first = flow;
    }
    return first;
  }

  #left(item: T): void {
    for (const key of this.#keysOf(item)) {
      const flow = this.#flows.get(key);
      if (flow?.items.size === 0) this.#rest(flow);
    }
    this.#size--;
    // No item waits. The next flow starts without credit and without debt.
    if (this.#size > 0) return;
    this.#idle.clear();
    this.#now = 0;
  }

  #begin(key: K): Flow<K, T> {
    const start = Math.max(this.#now, this.#idle.get(key) ?? 0);
    const flow = { key, items: new OrderedItems<T>(), start, order: this.#orders++ };
    this.#idle.delete(key);
    this.#flows.set(key, flow);
    return flow;
  }

  #rest({ key, start }: Flow<K, T>): void {
    this.#flows.delete(key);
    this.#idle.set(key, start);
    if (this.#idle.size <= MAX_IDLE) return;
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined) this.#idle.delete(oldest);
  }
}

interface Visit<K, T> {
  readonly flow: Flow<K, T>;
  readonly items: Iterator<T>;
  at: number;
  /** `cost` is the cost of the last visited item, by weight. `start` is the flow's start tag before the visit. */
  cost: number;
  start: number;
}

/** An iteration over the queue. A generator would be slower, and every request passes here. */
class Cursor<K, T> {
  readonly #weightOf: (key: K) => number;
  readonly #costOf: (item: T) => number;
  readonly #visits = new Heap<Visit<K, T>>((a, b) => a.at < b.at || (a.at === b.at && a.flow.order < b.flow.order));
  /** The flow of the last item. */
  #visit: Visit<K, T> | undefined;

  constructor(flows: Iterable<Flow<K, T>>, weightOf: (key: K) => number, costOf: (item: T) => number) {
    this.#weightOf = weightOf;
    this.#costOf = costOf;
    for (const flow of flows) {
      const { start } = flow;
      this.#visits.push({ flow, items: flow.items.items(), at: start, cost: 0, start });
    }
  }

  /** Undefined after the last item. */
  next(): T | undefined {
    if (this.#visit !== undefined) this.#goOn(this.#visit);
    for (let visit = this.#visits.pop(); visit !== undefined; visit = this.#visits.pop()) {
      const { value: item, done } = visit.items.next();
      if (done === true) continue;
      visit.cost = this.#costOf(item) / this.#weightOf(visit.flow.key);
      visit.start = visit.flow.start;
      this.#visit = visit;
      return item;
    }
    this.#visit = undefined;
    return undefined;
  }

  #goOn(visit: Visit<K, T>): void {
    // A flow that served more than the visited item, through requests for other flows, has used more of its share.
    visit.at += Math.max(visit.cost, visit.flow.start - visit.start);
    this.#visits.push(visit);
  }
}
