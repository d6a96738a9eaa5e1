import { MAX_BATCH_ITEMS } from "../../../api/schemas/address-poisoning.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import { type Lane, lanes } from "../../../messages/lane.ts";
import type { CachedQuestion } from "../../answers/answer-cache.ts";
import { NOT_SENT, type OutcomeListener, type RequestTrace } from "../../answers/outcome.ts";
import type { Refusals } from "../../rate-limit/gate/refusals/refusals.ts";
import { FairQueue } from "../../rate-limit/queue/fair-queue.ts";
import type { PositionAllocator } from "../../rate-limit/queue/position.ts";
import type { WeightOf } from "../../rate-limit/queue/request-queue.ts";
import { joinWaiter, type Requester, type Waiter } from "../../rate-limit/queue/waiter.ts";
import type { BatchEntry } from "../batch-entry.ts";
import type { Doubt } from "../failures/unauthorized-cause.ts";
import { DistinctItems } from "./distinct-items.ts";
import { SameUserIndex } from "./same-user-index.ts";

/** A flag that was raised in company. */
export interface Flagged {
  readonly evidence: PoisoningEvidence;
  readonly trace: RequestTrace;
  /** The kind of flag that its confirmation tells something of. */
  readonly kind: "own-user" | "itself" | undefined;
  /** Requests among canaries that failed. */
  failures: number;
}

/** A part that waits for its answer, and for whom. */
export interface Waiting extends Waiter {
  /** What is late counts as the backfill's: one request carries much of it. */
  lane: Lane;
  readonly part: BatchEntry;
  /** What is known of it, while it is asked. */
  known: CachedQuestion<BatchEntry, PoisoningEvidence, Waiting> | undefined;
  /** When it began to wait in this queue, milliseconds from any origin. */
  since: number;
  /** How many askers it stands for: the same question at once is one. */
  asks: number;
  /** Where it waits; undefined while it is on its way. */
  queue?: WaitingQueue | undefined;
  /** Its last request with others that was refused as the key is refused. */
  doubt?: Doubt;
  /** How often it, alone, was refused as the key is refused. */
  refusals?: Refusals;
  /** Attempts that were charged to it. */
  attempts: number;
  trace: RequestTrace;
  /** After a refusal: those it may still travel with. Together with others it might make up what was refused. */
  half?: object;
  /** What was said of it in company, while that is asked again. */
  flagged?: Flagged | undefined;
  /** Undefined once that was told, or waits no longer. */
  first: OutcomeListener<PoisoningEvidence> | undefined;
  /** Whoever asked the same since, as they came: nearly always there is nobody. */
  others?: Set<OutcomeListener<PoisoningEvidence>>;
}

/** What was asked just now. All that each in flight holds is made at once: a thousand of them are to be collected, too. */
export function waitingFor(
  part: BatchEntry,
  { lane, tenants }: Pick<Waiting, "lane" | "tenants">,
  first: OutcomeListener<PoisoningEvidence>,
): Waiting {
  return {
    lane,
    tenants,
    place: undefined,
    behind: 0,
    part,
    known: undefined,
    since: 0,
    asks: 1,
    queue: undefined,
    attempts: 0,
    trace: NOT_SENT,
    first,
  };
}

/** One more asks the same: what waits for somebody in realtime does so from now on, wherever it is. */
export function join(waiting: Waiting, claim: Requester): void {
  if (waiting.queue !== undefined) waiting.queue.join(waiting, claim);
  else joinWaiter(waiting, claim);
  if (waiting.isAbandoned === true) waiting.isAbandoned = false;
  waiting.asks++;
}

/** One waits no longer: a part may wait for hours, and thousands of events ask about it meanwhile. */
export function letGo(waiting: Waiting, told: OutcomeListener<PoisoningEvidence>): void {
  if (waiting.first === told) waiting.first = undefined;
  else waiting.others?.delete(told);
}

/** What waits, a lane at a time; within a lane tenants by weight, and the parts of one by their places. */
export class WaitingQueue {
  readonly #weightOf: WeightOf;
  readonly #maxItems: number;
  readonly #lanes: Readonly<Record<Lane, FairQueue<string, Waiting>>>;
  readonly #companions = new SameUserIndex<Waiting>();
  /** Items of what waits, until something leaves; counted as far as a request goes. */
  #items: DistinctItems | undefined;

  /** Askers that what waits here stands for. */
  asks = 0;

  /**
   * @param places of all queues between which parts move.
   * @param maxItems of a request.
   */
  constructor(weightOf: WeightOf, places: PositionAllocator, maxItems = MAX_BATCH_ITEMS) {
    this.#maxItems = maxItems;
    this.#weightOf = weightOf;
    const placeOf = (waiting: Waiting) => places.of(waiting);
    const line = () => new FairQueue<string, Waiting>(weightOf, itemsOf, tenantsOf, placeOf);
    this.#lanes = { realtime: line(), backfill: line() };
  }

  /** What waits longest in a lane. */
  oldestIn(lane: Lane): Waiting | undefined {
    return this.#lanes[lane].first;
  }

  /** The tenants that wait in a lane. */
  tenantsIn(lane: Lane): Iterable<string> {
    return this.#lanes[lane].keys;
  }

  get size(): number {
    return this.#lanes.realtime.size + this.#lanes.backfill.size;
  }

  /** Items of one request for all of it; of more than a request holds it says no more than that. */
  get items(): number {
    // While thousands wait, nearly always: then nothing has to be counted.
    if (this.#companions.onlyUsers >= this.#maxItems) return this.#companions.onlyUsers;
    this.#items ??= this.#counted();
    return this.#items.size;
  }

  /** Puts it at the end. */
  push(waiting: Waiting): void {
    waiting.place = undefined;
    this.putBack(waiting);
  }

  /** Puts it where it stood when it left, here or in another of these queues. */
  putBack(waiting: Waiting): void {
    waiting.queue = this;
    this.asks += waiting.asks;
    this.#lanes[waiting.lane].push(waiting);
    this.#companions.add(waiting);
    if (this.#items !== undefined && this.#items.size < this.#maxItems) this.#items.add(waiting.part);
  }

  /** One more asks for what waits here. */
  join(waiting: Waiting, claim: Requester): void {
    const before = waiting.lane;
    joinWaiter(waiting, claim);
    this.asks++;
    if (waiting.lane !== before) this.#lanes[before].remove(waiting);
    this.#lanes[waiting.lane].push(waiting);
  }

  /** One of those gives up who ask for what waits here. What nobody asks for any more leaves. @returns whether it left. */
  withdraw(waiting: Waiting): boolean {
    waiting.asks--;
    this.asks--;
    if (waiting.asks > 0) return false;
    this.#lanes[waiting.lane].remove(waiting);
    waiting.queue = undefined;
    this.#items = undefined;
    this.#companions.leave(waiting);
    return true;
  }

  /** Since when the first of a lane waits. */
  since(lane: Lane): number | undefined {
    return this.#lanes[lane].first?.since;
  }

  /** What the tenants weigh together that wait in a lane. */
  waits(lane: Lane): number {
    let weight = 0;
    for (const tenant of this.#lanes[lane].keys) weight += this.#weightOf(tenant);
    return weight;
  }

  /** Takes out what `take` accepts, each with those of its lane that have the same users; the lane `first` before the other, in each until it accepts no more of `patience` in a row. */
  cut(first: Lane, take: (waiting: Waiting) => boolean, patience: number): Waiting[] {
    const taken: Waiting[] = [];
    for (const lane of first === "realtime" ? lanes : lanes.toReversed()) this.#sweep(lane, take, patience, taken);
    return taken;
  }

  /** How many of those there are, or `most`. */
  count(isOne: (waiting: Waiting) => boolean, most: number): number {
    const found = new Set<Waiting>();
    for (const lane of lanes) {
      for (const waiting of this.#lanes[lane].all()) {
        if (found.size >= most) return most;
        if (isOne(waiting)) found.add(waiting);
      }
    }
    return found.size;
  }

  /** Those leave. */
  takeOut(isOne: (waiting: Waiting) => boolean): Waiting[] {
    return this.cut("realtime", isOne, Number.POSITIVE_INFINITY);
  }

  drain(): Waiting[] {
    return this.takeOut(() => true);
  }

  #sweep(lane: Lane, take: (waiting: Waiting) => boolean, patience: number, taken: Waiting[]): void {
    const look = this.#lanes[lane].inOrder();
    let refused = 0;
    for (let waiting = look.next(); waiting !== undefined; waiting = look.next()) {
      if (take(waiting)) {
        refused = 0;
        taken.push(waiting);
        for (const other of this.#left(waiting)) {
          if (other.lane !== lane) continue;
          if (!take(other)) break;
          taken.push(other);
          this.#left(other);
        }
      } else if (++refused >= patience) break;
    }
  }

  /** @returns those that wait with the same users. */
  #left(waiting: Waiting): readonly Waiting[] {
    this.#lanes[waiting.lane].take(waiting);
    waiting.queue = undefined;
    this.asks -= waiting.asks;
    this.#items = undefined;
    return this.#companions.leave(waiting);
  }

  #counted(): DistinctItems {
    const items = new DistinctItems();
    for (const lane of lanes) {
      for (const { part } of this.#lanes[lane].all()) {
        if (items.size >= this.#maxItems) return items;
        items.add(part);
      }
    }
    return items;
  }
}

/** Items that a part takes of a request at most. */
function itemsOf({ part: { users, token } }: Waiting): number {
  return users.length + (token === undefined ? 1 : 2);
}

function tenantsOf({ tenants }: Waiting): readonly string[] {
  return tenants;
}
