import type { Lane } from "../../../messages/lane.ts";
import { type BisectionHalf, laneOf, type OutgoingBatch, setApart, tenantsOf } from "../outgoing-batch.ts";
import type { EntryQueue, QueuedEntry } from "../queue/entry-queue.ts";
import {
  afterAnswer,
  afterNothing,
  afterRefusal,
  type BadItemSearch,
  searchAmong,
  searchHalves,
  searchOf,
} from "./bad-item-search.ts";
import { partsNamed } from "./refused-items.ts";
import { RefusedRequest } from "./refused-request.ts";

/** All searches for bad items, and the halves of requests that wait to be sent for them. */
export class Searches {
  #halves: readonly BisectionHalf[] = [];
  /** Searches that are still running: their half waits, or its request is in flight. */
  readonly #searches = new Map<BadItemSearch<QueuedEntry>, RefusedRequest>();
  readonly #alone: Pick<EntryQueue, "push">;
  readonly #isPoolingOff: () => boolean;

  /** @param alone Queue for the entries that a search sends alone. */
  constructor(alone: Pick<EntryQueue, "push">, isPoolingOff: () => boolean) {
    this.#alone = alone;
    this.#isPoolingOff = isPoolingOff;
  }

  /** Halves that wait. */
  get size(): number {
    return this.#halves.length;
  }

  /** Events that wait for an entry which is in no request now. */
  get asks(): number {
    let asks = 0;
    for (const { waiting } of this.#halves) for (const each of waiting) asks += each.asks;
    for (const { held } of this.#searches.keys()) for (const each of held) asks += each.asks;
    return asks;
  }

  /** Tenants with halves that wait in a lane. */
  tenants(lane: Lane): ReadonlySet<string> {
    return new Set(this.#halves.filter((half) => laneOf(half) === lane).flatMap(tenantsOf));
  }

  /** Removes and returns the half that is sent next in a lane. */
  next(lane: Lane): BisectionHalf | undefined {
    const half = this.#halves.find((each) => laneOf(each) === lane);
    if (half !== undefined) this.#halves = this.#halves.filter((each) => each !== half);
    return half;
  }

  /** A request was refused. Its entries are sent in several requests, so the same bytes are never sent twice. */
  split(cut: OutgoingBatch, detail: string): void {
    const { kind, waiting, search } = cut;
    const parts = waiting.map(({ part }) => part);
    const named = partsNamed(parts, kind === "pooled" ? cut.batch.request : undefined, detail);
    const begun = this.#end(search);
    const root = begun ?? new RefusedRequest(cut);
    if (named === undefined && waiting.length > 1) {
      const isBegun = begun !== undefined && search !== undefined;
      this.#goOn(isBegun ? afterRefusal(search) : [searchAmong(waiting)], root);
      return;
    }
    if (begun !== undefined && search !== undefined) this.#goOn(afterNothing(search), root);
    const isNamed = ({ part }: QueuedEntry) => named === undefined || named.includes(part);
    for (const each of waiting) if (isNamed(each)) this.#askAlone(each);
    const others = waiting.filter((each) => !isNamed(each));
    this.#goOn(searchOf(others), root);
  }

  /** Entries failed in one request several times. The bad entry is searched for as after a refusal. */
  splitFailed(failed: Pick<OutgoingBatch, "kind" | "waiting">): void {
    const searches = failed.waiting.length > 1 ? searchHalves(failed.waiting) : searchOf(failed.waiting);
    this.#goOn(searches, new RefusedRequest(failed, true));
  }

  /** Whether a request belongs to a search that began with a failure, not with a refusal. */
  isForFailure({ search }: OutgoingBatch): boolean {
    return search !== undefined && this.#searches.get(search)?.isFailure === true;
  }

  /**
   * A request was answered.
   *
   * @returns whether held entries became ready to be sent.
   */
  answered({ waiting, search }: OutgoingBatch): boolean {
    const root = this.#end(search);
    if (search === undefined || root === undefined) return false;
    root.answered(waiting);
    this.#goOn(afterAnswer(search), root);
    return true;
  }

  /**
   * Repeats a request of a search that got no result, before all other halves.
   *
   * @returns whether the request is repeated.
   */
  repeat({ kind, waiting, search }: OutgoingBatch): boolean {
    if (search === undefined || !this.#searches.has(search)) return false;
    if (kind === "pooled" && this.#isPoolingOff()) return false;
    this.#halves = [{ kind, waiting, search }, ...this.#halves];
    return true;
  }

  /**
   * A request got no result.
   *
   * @returns as `answered`.
   */
  release({ search }: BisectionHalf): boolean {
    const root = this.#end(search);
    if (search === undefined || root === undefined) return false;
    this.#goOn(afterNothing(search), root);
    return true;
  }

  /**
   * Ends the searches with batched halves that wait.
   *
   * @returns the entries that are sent alone from now on.
   */
  stopPooling(): readonly QueuedEntry[] {
    const stopped: QueuedEntry[] = [];
    for (const { kind, waiting, search } of this.#halves) {
      if (kind !== "pooled") continue;
      const held = this.#end(search) === undefined ? [] : (search?.held ?? []);
      stopped.push(...waiting, ...held);
    }
    this.#halves = this.#halves.filter(({ kind }) => kind !== "pooled");
    return stopped;
  }

  drain(): readonly QueuedEntry[] {
    const halved = this.#halves.flatMap(({ waiting }) => waiting);
    const held = [...this.#searches.keys()].flatMap((search) => search.held);
    this.#halves = [];
    this.#searches.clear();
    return [...halved, ...held];
  }

  /** @returns undefined when the search is over, for example because batching was stopped. */
  #end(search: OutgoingBatch["search"]): RefusedRequest | undefined {
    if (search === undefined) return undefined;
    const root = this.#searches.get(search);
    this.#searches.delete(search);
    return root;
  }

  #goOn(searches: readonly BadItemSearch<QueuedEntry>[], root: RefusedRequest): void {
    for (const search of searches) {
      const waiting = [...search.cleared, ...search.suspects];
      if ((root.kind === "alone" || !this.#isPoolingOff()) && root.takes(waiting)) {
        this.#searches.set(search, root);
        this.#halve({ kind: root.kind, waiting, search });
      } else {
        for (const each of waiting) this.#askAlone(each);
        this.#goOn(afterNothing(search), root);
      }
    }
  }

  #halve(half: BisectionHalf): void {
    setApart(half.waiting);
    this.#halves = [...this.#halves, half.waiting.length === 1 ? { ...half, kind: "alone" } : half];
  }

  #askAlone(waiting: QueuedEntry): void {
    setApart([waiting]);
    this.#alone.push(waiting);
  }
}
