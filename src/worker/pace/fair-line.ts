import { Heap } from "../../kernel/heap.ts";

interface Flow<K, T> {
  readonly key: K;
  readonly items: Set<T>;
  /** Its start tag: what it was served so far, by its weight, on the line's own clock. */
  start: number;
  /** Among equal tags the one that came first. */
  readonly order: number;
}

interface Visit<K, T> {
  readonly flow: Flow<K, T>;
  readonly items: Iterator<T>;
  at: number;
}

/** Flows that wait for nothing and are remembered with what they were served; forgetting one gives it a little more. */
const MAX_IDLE = 10_000;

/**
 * A line in which each of several flows (tenants) is served by its weight while it waits, first come first served within
 * a flow. An item may stand in several flows, and leaves all of them at once; the one that is next pays for it. A flow
 * that comes back begins where the line is: idleness earns nothing, and having been served is not forgotten by leaving.
 *
 * While two flows wait, what they were served differs, by weight, by no more than one item of each. Source: Goyal, Vin
 * and Cheng, "Start-time Fair Queuing", SIGCOMM 1996, theorem 1.
 */
export class FairLine<K, T> {
  readonly #weightOf: (key: K) => number;
  readonly #costOf: (item: T) => number;
  readonly #flows = new Map<K, Flow<K, T>>();
  /** What flows were served that wait for nothing now. */
  readonly #idle = new Map<K, number>();
  /** All that wait, in the order they came, and the flows of each. */
  readonly #items = new Map<T, K[]>();
  #now = 0;
  #orders = 0;

  constructor(weightOf: (key: K) => number, costOf: (item: T) => number) {
    this.#weightOf = weightOf;
    this.#costOf = costOf;
  }

  get size(): number {
    return this.#items.size;
  }

  /** The one that waits longest. */
  get first(): T | undefined {
    return this.#items.keys().next().value;
  }

  /** The flows that wait. */
  get keys(): Iterable<K> {
    return this.#flows.keys();
  }

  /** All that wait, in the order they came. */
  get all(): Iterable<T> {
    return this.#items.keys();
  }

  /** Puts `item` at the end of the flow, beside the flows it stands in already. */
  push(key: K, item: T): void {
    const keys = this.#items.get(item);
    if (keys === undefined) this.#items.set(item, [key]);
    else if (keys.includes(key)) return;
    else keys.push(key);
    let flow = this.#flows.get(key);
    if (flow === undefined) {
      flow = { key, items: new Set(), start: Math.max(this.#now, this.#idle.get(key) ?? 0), order: this.#orders++ };
      this.#idle.delete(key);
      this.#flows.set(key, flow);
    }
    flow.items.add(item);
  }

  /**
   * All that wait, in the order in which they should be served. What is passed over costs its flow its place for this
   * time only; what is served is to be taken out by `take` before the next one is looked at.
   */
  *inOrder(): Generator<T> {
    const visits = new Heap<Visit<K, T>>((a, b) => a.at < b.at || (a.at === b.at && a.flow.order < b.flow.order));
    for (const flow of this.#flows.values()) visits.push({ flow, items: flow.items.values(), at: flow.start });
    for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
      const { value: item, done } = visit.items.next();
      if (done === true) continue;
      const { start } = visit.flow;
      yield item;
      // Whoever was served more than this one, by others who came along, has used more of its turn.
      visit.at += Math.max(this.#costOf(item) / this.#weightOf(visit.flow.key), visit.flow.start - start);
      visits.push(visit);
    }
  }

  /** Serves `item`: it leaves, and the one of its flows that was to be served first pays. */
  take(item: T): void {
    let payer: Flow<K, T> | undefined;
    for (const key of this.#items.get(item) ?? []) {
      const flow = this.#flows.get(key);
      if (flow !== undefined && (payer === undefined || flow.start < payer.start)) payer = flow;
    }
    if (payer === undefined) return;
    this.#now = Math.max(this.#now, payer.start);
    payer.start += this.#costOf(item) / this.#weightOf(payer.key);
    this.remove(item);
  }

  /** Takes `item` out without serving it. @returns the flows it stood in; none when it was not here. */
  remove(item: T): readonly K[] {
    const keys = this.#items.get(item) ?? [];
    this.#items.delete(item);
    for (const key of keys) {
      const flow = this.#flows.get(key);
      flow?.items.delete(item);
      if (flow?.items.size === 0) this.#rest(flow);
    }
    if (this.#items.size === 0) this.#begin();
    return keys;
  }

  #rest({ key, start }: Flow<K, T>): void {
    this.#flows.delete(key);
    this.#idle.set(key, start);
    if (this.#idle.size <= MAX_IDLE) return;
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined) this.#idle.delete(oldest);
  }

  /** Nobody waits: whoever comes next is owed nothing, and owes nothing. */
  #begin(): void {
    this.#idle.clear();
    this.#now = 0;
  }
}
