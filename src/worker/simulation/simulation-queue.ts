import { FairQueue } from "../rate-limit/queue/fair-queue.ts";
import { PositionAllocator } from "../rate-limit/queue/position.ts";
import type { WeightOf } from "../rate-limit/queue/request-queue.ts";
import { type Oldest, type RequestLane, requestLanes } from "../rate-limit/queue/waiter.ts";
import { CUT_WINDOW, cutGroup } from "./cut-group.ts";
import type { LockSets } from "./locks.ts";
import type { SimulationRequester } from "./ports.ts";

/** The properties of a waiting question that the queue needs. */
export interface QueuedSimulation {
  readonly asker: SimulationRequester;
  /** Undefined for a question that goes alone. */
  readonly locks: LockSets | undefined;
}

/**
 * Questions that wait for a request, by lane. Within a lane tenants share by weight. Parts of groups that were sent
 * before go first in their lane, unchanged.
 */
export class SimulationQueue<T extends QueuedSimulation> {
  readonly #weightOf: WeightOf;
  readonly #fresh: Readonly<Record<RequestLane, FairQueue<string, T>>>;
  #parts: readonly (readonly T[])[] = [];

  constructor(weightOf: WeightOf) {
    this.#weightOf = weightOf;
    const places = new PositionAllocator();
    const line = () =>
      new FairQueue<string, T>(
        weightOf,
        () => 1,
        ({ asker }) => asker.turn.tenants,
        ({ asker }) => places.of(asker.turn),
      );
    this.#fresh = { realtime: line(), overdue: line(), late: line(), backfill: line() };
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0 && requestLanes.every((lane) => this.#fresh[lane].size === 0);
  }

  /** Total weight of the tenants that wait in a lane. */
  waits(lane: RequestLane): number {
    const waiting = new Set(this.#fresh[lane].keys);
    for (const part of this.#parts) {
      if (laneOf(part) === lane) for (const { asker } of part) for (const each of asker.turn.tenants) waiting.add(each);
    }
    let weight = 0;
    for (const tenant of waiting) weight += this.#weightOf(tenant);
    return weight;
  }

  /** Undefined while parts of a failed request wait in the lane: they go first, whatever their age. */
  oldest(lane: RequestLane): Oldest | undefined {
    const since = this.#fresh[lane].first?.asker.turn.since;
    if (since === undefined || this.#parts.some((part) => laneOf(part) === lane)) return undefined;
    return { since, tenants: this.#fresh[lane].keys };
  }

  add(waiter: T): void {
    this.#fresh[waiter.asker.turn.lane].push(waiter);
  }

  addParts(parts: readonly (readonly T[])[]): void {
    this.#parts = [...this.#parts, ...parts];
  }

  /** Removes and returns the next group, from lane `first` if a question waits there. */
  cut(first: RequestLane, groupMax: number): readonly T[] {
    const order = [first, ...requestLanes.filter((lane) => lane !== first)];
    for (const lane of order) {
      const part = this.#parts.find((each) => laneOf(each) === lane);
      if (part !== undefined) {
        this.#parts = this.#parts.filter((each) => each !== part);
        return part;
      }
      if (this.#fresh[lane].size > 0) break;
    }
    const waiting = order.flatMap((lane) => firstOf(this.#fresh[lane], CUT_WINDOW));
    const group = cutGroup([...new Set(waiting)], groupMax);
    for (const each of group) for (const lane of requestLanes) this.#fresh[lane].take(each);
    return group;
  }

  /** Removes and returns all questions. */
  clear(): readonly T[] {
    const everyone = [
      ...this.#parts.flat(),
      ...requestLanes.flatMap((lane) => firstOf(this.#fresh[lane], Number.POSITIVE_INFINITY)),
    ];
    for (const lane of requestLanes) for (const each of everyone) this.#fresh[lane].remove(each);
    this.#parts = [];
    return everyone;
  }

  /** Removes a question that no event needs any more. */
  withdraw(waiter: T): void {
    for (const lane of requestLanes) this.#fresh[lane].remove(waiter);
    if (this.#parts.length === 0) return;
    const left = this.#parts.map((part) => (part.includes(waiter) ? part.filter((each) => each !== waiter) : part));
    this.#parts = left.filter(({ length }) => length > 0);
  }
}

/** The most urgent lane of the questions in a part. */
function laneOf(part: readonly QueuedSimulation[]): RequestLane {
  return requestLanes.find((lane) => part.some(({ asker }) => asker.turn.lane === lane)) ?? "backfill";
}

function firstOf<T>(line: FairQueue<string, T>, most: number): readonly T[] {
  const look = line.inOrder();
  const first: T[] = [];
  for (let item = look.next(); item !== undefined && first.push(item) < most; ) item = look.next();
  return first;
}
