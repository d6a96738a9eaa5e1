import type { BreakerAdmission } from "../breaker/circuit-breaker.ts";
import { FairQueue } from "./fair-queue.ts";
import { LaneShare } from "./lane-share.ts";
import { PositionAllocator } from "./position.ts";
import {
  type BatchWaiter,
  demoteWaiter,
  isBatchWaiter,
  joinWaiter,
  type LaterLane,
  type Oldest,
  type Requester,
  type RequestLane,
  requestLanes,
  type Waiter,
} from "./waiter.ts";

/** A tenant's share relative to another tenant's while both wait. More than 0. */
export type WeightOf = (tenant: string) => number;

/** A request that waits for a permit. `begin` sends it when the permit comes. */
export interface QueuedRequest {
  readonly asker: Waiter | BatchWaiter;
  readonly begin: (lane: RequestLane, passage: BreakerAdmission) => Promise<void>;
  /** Called when no permit will come. */
  readonly fail: (reason: unknown) => void;
}

/**
 * The requests that wait for a slot. A slot goes to realtime first, and to overdue events next. While the backfill waits, every
 * tenth slot is for it and the lane behind the first in turn: overdue events behind realtime, or else late questions. Within a
 * lane tenants have their shares by weight, whatever kind of request they wait for. A company counts as all its tenants.
 */
export class RequestQueue {
  readonly #lanes: Readonly<Record<RequestLane, FairQueue<string | BatchWaiter, QueuedRequest>>>;
  readonly #turns = new Map<Waiter, QueuedRequest>();
  readonly #companies = new Map<BatchWaiter, QueuedRequest>();
  readonly #share = new LaneShare();
  /** Which tenant or company had which probe since the last slot. */
  readonly #probed: Readonly<Record<RequestLane, Map<string | BatchWaiter, number>>> = {
    realtime: new Map(),
    overdue: new Map(),
    late: new Map(),
    backfill: new Map(),
  };
  #probes = 0;

  constructor(weightOf: WeightOf) {
    const places = new PositionAllocator();
    const line = (lane: RequestLane) =>
      new FairQueue<string | BatchWaiter, QueuedRequest>(
        (key) => (typeof key === "string" ? weightOf(key) : key.waits(lane)),
        () => 1,
        ({ asker }) => (isBatchWaiter(asker) ? [asker] : asker.tenants),
        // A batch waiter has no position among the waiters.
        ({ asker }) => (isBatchWaiter(asker) ? 0 : places.of(asker)),
      );
    const [realtime, overdue, late, backfill] = [line("realtime"), line("overdue"), line("late"), line("backfill")];
    this.#lanes = { realtime, overdue, late, backfill };
  }

  get size(): number {
    return this.#turns.size + this.#companies.size;
  }

  /** How many requests wait in a lane. A batch waiter counts in each lane in which it has questions. */
  waits(lane: RequestLane): number {
    this.#placeCompanies();
    return this.#lanes[lane].size;
  }

  /** @param seat the queued request of a waiter that has no other queued request. */
  add(seat: QueuedRequest): void {
    const { asker } = seat;
    if (isBatchWaiter(asker)) {
      this.#companies.set(asker, seat);
      return;
    }
    this.#turns.set(asker, seat);
    this.#lanes[asker.lane].push(seat);
  }

  /** Adds a requester to the waiter `turn`. The waiter need not be in this queue now. */
  join(turn: Waiter, claim: Requester): void {
    const before = turn.lane;
    joinWaiter(turn, claim);
    const seat = this.#turns.get(turn);
    if (seat === undefined) return;
    if (turn.lane !== before) this.#lanes[before].remove(seat);
    this.#lanes[turn.lane].push(seat);
  }

  /**
   * Removes a waiter that no event needs any more.
   *
   * @returns its queued request; undefined when the waiter is not in the queue.
   */
  withdraw(turn: Waiter): QueuedRequest | undefined {
    const seat = this.#turns.get(turn);
    if (seat !== undefined) this.#leave(seat);
    return seat;
  }

  /** No event waits by a deadline for what `turn` asks for, whether or not that waits here at the moment. */
  demote(turn: Waiter, to: LaterLane): void {
    const seat = this.#turns.get(turn);
    if (seat !== undefined) this.#lanes[turn.lane].remove(seat);
    demoteWaiter(turn, to);
    if (seat !== undefined) this.#lanes[turn.lane].push(seat);
  }

  /**
   * Takes out the request that gets the permit. Undefined when no request may use it.
   *
   * @param mayBackfill whether the request may be of another lane than realtime.
   * @param answeredAt when an answer to a request sent now is expected, milliseconds of `ticks`.
   */
  next(mayBackfill = true, answeredAt = 0): { readonly seat: QueuedRequest; readonly lane: RequestLane } | undefined {
    for (const lane of requestLanes) this.#probed[lane].clear();
    this.#placeCompanies();
    // Late questions leave the realtime lane first. The lane may have no others.
    const realtimeSeat = this.#firstInTime(answeredAt);
    if (!mayBackfill && realtimeSeat === undefined) return undefined;
    const lane = mayBackfill ? this.#share.next(this.#lanes) : "realtime";
    const seat = lane === "realtime" ? realtimeSeat : this.#lanes[lane].inOrder().next();
    // Only a batch waiter without questions is left. It finds nothing to send.
    if (seat === undefined) return this.any();
    this.#lanes[lane].take(seat);
    this.#leave(seat);
    return { seat, lane };
  }

  /**
   * Takes out the request that serves as the probe. The tenant or batch waiter that had no probe for longest comes
   * first, whatever its weight. Probes are few, and one operation may be down while others answer. One tenant must not
   * get all probes.
   */
  probe(): { readonly seat: QueuedRequest; readonly lane: RequestLane } | undefined {
    this.#placeCompanies();
    let first: { readonly lane: RequestLane; readonly key: string | BatchWaiter; readonly had: number } | undefined;
    for (const lane of requestLanes) {
      for (const key of this.#lanes[lane].keys) {
        const had = this.#probed[lane].get(key) ?? 0;
        if (first === undefined || had < first.had) first = { lane, key, had };
      }
    }
    const seat = first && this.#lanes[first.lane].firstOf(first.key);
    if (first === undefined || seat === undefined) return this.any();
    this.#probed[first.lane].set(first.key, ++this.#probes);
    this.#leave(seat);
    return { seat, lane: first.lane };
  }

  /** Takes any request out. Its tenant is not charged for a permit. */
  any(): { readonly seat: QueuedRequest; readonly lane: RequestLane } | undefined {
    const [seat = this.#companies.values().next().value] = this.#turns.values();
    if (seat === undefined) return undefined;
    this.#leave(seat);
    return { seat, lane: isBatchWaiter(seat.asker) ? "backfill" : seat.asker.lane };
  }

  /**
   * The first request of realtime. A request that cannot be answered by its deadline any more moves to the late lane.
   * Otherwise, under overload, the first request would always be so old that its answer comes just after the deadline.
   * No answer would be in time.
   */
  #firstInTime(answeredAt: number): QueuedRequest | undefined {
    for (;;) {
      const seat = this.#oldest(this.#lanes.realtime.inOrder());
      if (seat === undefined || !isLate(seat, answeredAt)) return seat;
      if (!isBatchWaiter(seat.asker)) this.demote(seat.asker, "late");
    }
  }

  /**
   * The first request in the order. If that is a batch waiter, the oldest request from there up to the first single
   * request. Without this rule a batch waiter with one question takes every other permit. It could wait, and carry all
   * questions that come until the older requests have left.
   *
   * A single request yields to an older batch waiter in turn. Otherwise the requests that an outage left take every
   * other permit. The questions of the batch waiter then grow too old.
   */
  #oldest(inOrder: { next(): QueuedRequest | undefined }): QueuedRequest | undefined {
    let seat = inOrder.next();
    for (let last = seat; last !== undefined && isBatchWaiter(last.asker); ) {
      last = inOrder.next();
      if (last !== undefined && seat !== undefined && yieldsTo(seat.asker, last.asker)) seat = last;
    }
    return seat && (this.#olderCompany(seat.asker) ?? seat);
  }

  #olderCompany(asker: Waiter | BatchWaiter): QueuedRequest | undefined {
    if (isBatchWaiter(asker)) return undefined;
    for (const [company, seat] of this.#companies) {
      if (company.servesOldestFirst === true && yieldsTo(asker, company) && isOnlyOf(company, asker)) return seat;
    }
    return undefined;
  }

  #leave(seat: QueuedRequest): void {
    if (isBatchWaiter(seat.asker)) this.#companies.delete(seat.asker);
    else this.#turns.delete(seat.asker);
    for (const lane of requestLanes) this.#lanes[lane].remove(seat);
  }

  /** The questions of batch waiters change while the batch waiters wait. */
  #placeCompanies(): void {
    for (const [company, seat] of this.#companies) {
      for (const lane of requestLanes) {
        if (company.waits(lane) > 0) this.#lanes[lane].push(seat);
        else this.#lanes[lane].remove(seat);
      }
    }
  }
}

/** Whether `other` is older than all questions of `one`, and belongs to each tenant of `one`. */
function yieldsTo(one: Waiter | BatchWaiter, other: Waiter | BatchWaiter): boolean {
  const [own, older] = [ageOf(one), ageOf(other)];
  if (own === undefined || older === undefined || older.since >= own.since) return false;
  const tenants = new Set(older.tenants);
  for (const tenant of own.tenants) if (!tenants.has(tenant)) return false;
  return true;
}

/** Whether each tenant with questions in the batch waiter is a tenant of the request. */
function isOnlyOf(company: BatchWaiter, { tenants }: Waiter): boolean {
  for (const tenant of company.oldest?.("realtime")?.tenants ?? []) if (!tenants.includes(tenant)) return false;
  return true;
}

function ageOf(asker: Waiter | BatchWaiter): Oldest | undefined {
  if (isBatchWaiter(asker)) return asker.oldest?.("realtime");
  return asker.since === undefined ? undefined : { since: asker.since, tenants: asker.tenants };
}

function isLate({ asker }: QueuedRequest, answeredAt: number): boolean {
  return !isBatchWaiter(asker) && asker.deadlineAt !== undefined && asker.deadlineAt < answeredAt;
}
