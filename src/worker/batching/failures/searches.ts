import type { Lane } from "../../../messages/lane.ts";
import { type BisectionHalf, laneOf, type OutgoingBatch, setApart, tenantsOf } from "../outgoing-batch.ts";
import type { Waiting, WaitingQueue } from "../queue/waiting.ts";
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

/** The searches for what made requests be refused, or fail, and the halves of these that wait to be sent for it. */
export class Searches {
  #halves: readonly BisectionHalf[] = [];
  /** Those that go on, in a half or on their way. */
  readonly #searches = new Map<BadItemSearch<Waiting>, RefusedRequest>();
  readonly #alone: Pick<WaitingQueue, "push">;
  readonly #isPoolingOff: () => boolean;

  /** @param alone where what is left of a search is asked by itself. */
  constructor(alone: Pick<WaitingQueue, "push">, isPoolingOff: () => boolean) {
    this.#alone = alone;
    this.#isPoolingOff = isPoolingOff;
  }

  /** Halves that wait. */
  get size(): number {
    return this.#halves.length;
  }

  /** Askers whose question is in none of the requests. */
  get asks(): number {
    let asks = 0;
    for (const { waiting } of this.#halves) for (const each of waiting) asks += each.asks;
    for (const { held } of this.#searches.keys()) for (const each of held) asks += each.asks;
    return asks;
  }

  /** Whose halves wait in a lane. */
  tenants(lane: Lane): ReadonlySet<string> {
    return new Set(this.#halves.filter((half) => laneOf(half) === lane).flatMap(tenantsOf));
  }

  /** Takes the half that is to be sent next in a lane. */
  next(lane: Lane): BisectionHalf | undefined {
    const half = this.#halves.find((each) => laneOf(each) === lane);
    if (half !== undefined) this.#halves = this.#halves.filter((each) => each !== half);
    return half;
  }

  /** A request was refused: what it held goes in several, so that the same bytes never travel twice. */
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
    const isNamed = ({ part }: Waiting) => named === undefined || named.includes(part);
    for (const each of waiting) if (isNamed(each)) this.#askAlone(each);
    const others = waiting.filter((each) => !isNamed(each));
    this.#goOn(searchOf(others), root);
  }

  /** These failed in one request time and again: what makes it fail is searched for, as among refused ones. */
  splitFailed(failed: Pick<OutgoingBatch, "kind" | "waiting">): void {
    const searches = failed.waiting.length > 1 ? searchHalves(failed.waiting) : searchOf(failed.waiting);
    this.#goOn(searches, new RefusedRequest(failed, true));
  }

  /** Whether a request is one of those that search for what makes the service fail. */
  isForFailure({ search }: OutgoingBatch): boolean {
    return search !== undefined && this.#searches.get(search)?.isFailure === true;
  }

  /** A request was answered. @returns whether something waits that was held back until then. */
  answered({ waiting, search }: OutgoingBatch): boolean {
    const root = this.#end(search);
    if (search === undefined || root === undefined) return false;
    root.answered(waiting);
    this.#goOn(afterAnswer(search), root);
    return true;
  }

  /** A request of a search said nothing of what it held: it is made again, before all others. @returns whether it is. */
  repeat({ kind, waiting, search }: OutgoingBatch): boolean {
    if (search === undefined || !this.#searches.has(search)) return false;
    if (kind === "pooled" && this.#isPoolingOff()) return false;
    this.#halves = [{ kind, waiting, search }, ...this.#halves];
    return true;
  }

  /** A request came to nothing. @returns as `answered`. */
  release({ search }: BisectionHalf): boolean {
    const root = this.#end(search);
    if (search === undefined || root === undefined) return false;
    this.#goOn(afterNothing(search), root);
    return true;
  }

  /** Ends the searches whose pooled halves wait. @returns who is asked alone from now on. */
  stopPooling(): readonly Waiting[] {
    const stopped: Waiting[] = [];
    for (const { kind, waiting, search } of this.#halves) {
      if (kind !== "pooled") continue;
      const held = this.#end(search) === undefined ? [] : (search?.held ?? []);
      stopped.push(...waiting, ...held);
    }
    this.#halves = this.#halves.filter(({ kind }) => kind !== "pooled");
    return stopped;
  }

  drain(): readonly Waiting[] {
    const halved = this.#halves.flatMap(({ waiting }) => waiting);
    const held = [...this.#searches.keys()].flatMap((search) => search.held);
    this.#halves = [];
    this.#searches.clear();
    return [...halved, ...held];
  }

  /** @returns undefined when the search is over, as after pooling was stopped. */
  #end(search: OutgoingBatch["search"]): RefusedRequest | undefined {
    if (search === undefined) return undefined;
    const root = this.#searches.get(search);
    this.#searches.delete(search);
    return root;
  }

  #goOn(searches: readonly BadItemSearch<Waiting>[], root: RefusedRequest): void {
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

  #askAlone(waiting: Waiting): void {
    setApart([waiting]);
    this.#alone.push(waiting);
  }
}
