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

/** A flag that was raised in a batch. */
export interface FlaggedEntry {
  readonly evidence: PoisoningEvidence;
  readonly trace: RequestTrace;
  /** The kind of flag on which the confirmation gives information. */
  readonly kind: "own-user" | "itself" | undefined;
  /** Failed confirmation requests among canaries. */
  failures: number;
}

/** A batch entry that waits for its answer, with the events that need it. */
export interface QueuedEntry extends Waiter {
  /** A late request counts as backfill: one request carries many late entries. */
  lane: Lane;
  readonly part: BatchEntry;
  /** The cached state of the entry while it waits. */
  known: CachedQuestion<BatchEntry, PoisoningEvidence, QueuedEntry> | undefined;
  /** When the entry joined its queue, milliseconds of the monotonic clock. */
  since: number;
  /** Events that wait for this entry. Equal questions at one time share the entry. */
  asks: number;
  /** The queue of the entry. Undefined while its request is in flight. */
  queue?: EntryQueue | undefined;
  /** Its last batch that was refused as a bad key is refused. */
  doubt?: Doubt;
  /** How often the entry alone was refused as a bad key is refused. */
  refusals?: Refusals;
  /** Attempts that were charged to the entry. */
  attempts: number;
  trace: RequestTrace;
  /**
   * Set after a refusal: only entries with the same object may share a request. Together with other entries, the entry
   * could form the refused request again.
   */
  half?: object;
  /** The flag from a batch, while it is being confirmed. */
  flagged?: FlaggedEntry | undefined;
  /** The first listener. Undefined once it is notified or withdrawn. */
  first: OutcomeListener<PoisoningEvidence> | undefined;
  /** Listeners of later events with the same question, in order of arrival. Nearly always absent. */
  others?: Set<OutcomeListener<PoisoningEvidence>>;
}

/**
 * A new waiting entry. All fields are set at creation, because thousands of entries are in flight and get collected.
 */
export function waitingFor(
  part: BatchEntry,
  { lane, tenants }: Pick<QueuedEntry, "lane" | "tenants">,
  first: OutcomeListener<PoisoningEvidence>,
): QueuedEntry {
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

/** Adds an event to a waiting entry. A realtime event moves the entry to the realtime lane, wherever it is. */
export function join(waiting: QueuedEntry, claim: Requester): void {
  if (waiting.queue !== undefined) waiting.queue.join(waiting, claim);
  else joinWaiter(waiting, claim);
  if (waiting.isAbandoned === true) waiting.isAbandoned = false;
  waiting.asks++;
}

/** Removes one listener. An entry may wait for hours, and thousands of events ask about it in that time. */
export function letGo(waiting: QueuedEntry, told: OutcomeListener<PoisoningEvidence>): void {
  if (waiting.first === told) waiting.first = undefined;
  else waiting.others?.delete(told);
}

/** Waiting entries by lane. Within a lane tenants share by weight, and each tenant's entries keep their order. */
export class EntryQueue {
  readonly #weightOf: WeightOf;
  readonly #maxItems: number;
  readonly #lanes: Readonly<Record<Lane, FairQueue<string, QueuedEntry>>>;
  readonly #companions = new SameUserIndex<QueuedEntry>();
  /** Items of the waiting entries, counted up to one full request. Reset when an entry leaves. */
  #items: DistinctItems | undefined;

  /** Events that wait for the entries of this queue. */
  asks = 0;

  /**
   * @param places Positions for all queues between which entries move.
   * @param maxItems Limit of items in a request.
   */
  constructor(weightOf: WeightOf, places: PositionAllocator, maxItems = MAX_BATCH_ITEMS) {
    this.#maxItems = maxItems;
    this.#weightOf = weightOf;
    const placeOf = (waiting: QueuedEntry) => places.of(waiting);
    const line = () => new FairQueue<string, QueuedEntry>(weightOf, itemsOf, tenantsOf, placeOf);
    this.#lanes = { realtime: line(), backfill: line() };
  }

  /** The entry that has waited longest in a lane. */
  oldestIn(lane: Lane): QueuedEntry | undefined {
    return this.#lanes[lane].first;
  }

  /** Tenants with entries in a lane. */
  tenantsIn(lane: Lane): Iterable<string> {
    return this.#lanes[lane].keys;
  }

  get size(): number {
    return this.#lanes.realtime.size + this.#lanes.backfill.size;
  }

  /** Items of one request for all waiting entries. Beyond one full request the number is only a lower bound. */
  get items(): number {
    // Nearly always true while thousands of entries wait, and then nothing has to be counted.
    if (this.#companions.onlyUsers >= this.#maxItems) return this.#companions.onlyUsers;
    this.#items ??= this.#counted();
    return this.#items.size;
  }

  /** Adds an entry at the end. */
  push(waiting: QueuedEntry): void {
    waiting.place = undefined;
    this.putBack(waiting);
  }

  /** Adds an entry at its former position, in this queue or another one. */
  putBack(waiting: QueuedEntry): void {
    waiting.queue = this;
    this.asks += waiting.asks;
    this.#lanes[waiting.lane].push(waiting);
    this.#companions.add(waiting);
    if (this.#items !== undefined && this.#items.size < this.#maxItems) this.#items.add(waiting.part);
  }

  /** Adds an event to an entry of this queue. */
  join(waiting: QueuedEntry, claim: Requester): void {
    const before = waiting.lane;
    joinWaiter(waiting, claim);
    this.asks++;
    if (waiting.lane !== before) this.#lanes[before].remove(waiting);
    this.#lanes[waiting.lane].push(waiting);
  }

  /**
   * Removes an event from an entry of this queue. An entry without events leaves.
   *
   * @returns whether the entry left.
   */
  withdraw(waiting: QueuedEntry): boolean {
    waiting.asks--;
    this.asks--;
    if (waiting.asks > 0) return false;
    this.#lanes[waiting.lane].remove(waiting);
    waiting.queue = undefined;
    this.#items = undefined;
    this.#companions.leave(waiting);
    return true;
  }

  /** When the first entry of a lane began to wait. */
  since(lane: Lane): number | undefined {
    return this.#lanes[lane].first?.since;
  }

  /** Total weight of the tenants that wait in a lane. */
  waits(lane: Lane): number {
    let weight = 0;
    for (const tenant of this.#lanes[lane].keys) weight += this.#weightOf(tenant);
    return weight;
  }

  /**
   * Removes the entries that `take` accepts, each together with entries of its lane that have the same users. The lane
   * `first` is searched before the other lane. A search ends after `patience` consecutive rejections.
   */
  cut(first: Lane, take: (waiting: QueuedEntry) => boolean, patience: number): QueuedEntry[] {
    const taken: QueuedEntry[] = [];
    for (const lane of first === "realtime" ? lanes : lanes.toReversed()) this.#sweep(lane, take, patience, taken);
    return taken;
  }

  /** Number of entries that match, at most `most`. */
  count(isOne: (waiting: QueuedEntry) => boolean, most: number): number {
    const found = new Set<QueuedEntry>();
    for (const lane of lanes) {
      for (const waiting of this.#lanes[lane].all()) {
        if (found.size >= most) return most;
        if (isOne(waiting)) found.add(waiting);
      }
    }
    return found.size;
  }

  /** Removes the entries that match. */
  takeOut(isOne: (waiting: QueuedEntry) => boolean): QueuedEntry[] {
    return this.cut("realtime", isOne, Number.POSITIVE_INFINITY);
  }

  drain(): QueuedEntry[] {
    return this.takeOut(() => true);
  }

  #sweep(lane: Lane, take: (waiting: QueuedEntry) => boolean, patience: number, taken: QueuedEntry[]): void {
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

  /** @returns the waiting entries with the same users. */
  #left(waiting: QueuedEntry): readonly QueuedEntry[] {
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

/** Most items that an entry adds to a request. */
function itemsOf({ part: { users, token } }: QueuedEntry): number {
  return users.length + (token === undefined ? 1 : 2);
}

function tenantsOf({ tenants }: QueuedEntry): readonly string[] {
  return tenants;
}
