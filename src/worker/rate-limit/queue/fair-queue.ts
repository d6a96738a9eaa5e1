import { Heap } from "../../../kernel/heap.ts";
import { OrderedItems } from "./ordered-items.ts";

interface Flow<K, T> {
  readonly key: K;
  /** What waits. */
  readonly items: OrderedItems<T>;
  /** Its start tag: what it was served so far, by its weight, on the line's own clock. */
  start: number;
  /** Among equal tags the one that came first. */
  readonly order: number;
}

/** Flows that wait for nothing and are remembered with what they were served; forgetting one gives it a little more. */
const MAX_IDLE = 10_000;

/**
 * A line in which each of several flows (tenants) is served by its weight while it waits, within a flow by place. An item may stand in several flows, and leaves all of them at once; the one that is next pays for it. A flow
 * that comes back begins where the line is: idleness earns nothing, and having been served is not forgotten by leaving.
 *
 * While two flows wait, what they were served differs, by weight, by no more than one item of each. Source: Goyal, Vin
 * and Cheng, "Start-time Fair Queuing", SIGCOMM 1996, theorem 1.
 */
export class FairQueue<K, T> {
  readonly #weightOf: (key: K) => number;
  readonly #costOf: (item: T) => number;
  readonly #keysOf: (item: T) => readonly K[];
  readonly #placeOf: (item: T) => number;
  readonly #flows = new Map<K, Flow<K, T>>();
  /** What flows were served that wait for nothing now. */
  readonly #idle = new Map<K, number>();
  #size = 0;
  /** The one that waits longest, once it was asked for and until it leaves: the linger asks with every event. */
  #first: readonly [item: T, place: number] | undefined;
  #now = 0;
  #orders = 0;

  /**
   * @param keysOf the flows that an item belongs to; they may become more while it waits.
   * @param placeOf where it stands among all that came to the line, as it is pushed: least first.
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

  /** The one that waits longest. */
  get first(): T | undefined {
    this.#first ??= this.#oldest();
    return this.#first?.[0];
  }

  /** The one of a flow that is first in it. */
  firstOf(key: K): T | undefined {
    return this.#flows.get(key)?.items.first?.[0];
  }

  /** The flows that wait. */
  get keys(): Iterable<K> {
    return this.#flows.keys();
  }

  /** All that wait, flow by flow: who stands in several, several times. */
  *all(): Generator<T> {
    for (const { items } of this.#flows.values()) yield* items.items();
  }

  /** Puts `item` in its place in each of its flows in which it does not stand yet. */
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
   * All that wait, one at a time, in the order in which they should be served. What is passed over costs its flow its place
   * for this time only; what is served is to be taken out by `take` before the next one is looked at.
   */
  inOrder(): Cursor<K, T> {
    return new Cursor(this.#flows.values(), this.#weightOf, this.#costOf);
  }

  /** Serves `item`: it leaves, and the one of its flows that was to be served first pays. */
  take(item: T): void {
    const payer = this.#takeOut(item);
    if (payer === undefined) return;
    this.#now = Math.max(this.#now, payer.start);
    payer.start += this.#costOf(item) / this.#weightOf(payer.key);
    this.#left(item);
  }

  /** Takes `item` out without serving it. */
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

  /** @returns the one of its flows that was to be served first; undefined when it does not wait. */
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
    // Nobody waits: whoever comes next is owed nothing, and owes nothing.
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
  /** What it costs to have been looked at last, and what the flow had been served before that. */
  cost: number;
  start: number;
}

/** A look along a line. No generator: all that is sent passes here. */
class Cursor<K, T> {
  readonly #weightOf: (key: K) => number;
  readonly #costOf: (item: T) => number;
  readonly #visits = new Heap<Visit<K, T>>((a, b) => a.at < b.at || (a.at === b.at && a.flow.order < b.flow.order));
  /** Where the last one was found. */
  #visit: Visit<K, T> | undefined;

  constructor(flows: Iterable<Flow<K, T>>, weightOf: (key: K) => number, costOf: (item: T) => number) {
    this.#weightOf = weightOf;
    this.#costOf = costOf;
    for (const flow of flows) {
      const { start } = flow;
      this.#visits.push({ flow, items: flow.items.items(), at: start, cost: 0, start });
    }
  }

  /** Undefined after the last. */
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
    // Whoever was served more than this one, by others who came along, has used more of its turn.
    visit.at += Math.max(visit.cost, visit.flow.start - visit.start);
    this.#visits.push(visit);
  }
}
