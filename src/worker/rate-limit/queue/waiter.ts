import type { Lane } from "../../../messages/lane.ts";

/**
 * The lanes of requests, those first that go first. A realtime event that was past its deadline when it was read is overdue: no
 * verdict on it is on time, but it has none yet. A question of a realtime event is late when it can't be answered by the deadline
 * any more, or when the event has a verdict for the time being; it shares the slots of the backfill.
 */
export const requestLanes = ["realtime", "overdue", "late", "backfill"] as const;
export type RequestLane = (typeof requestLanes)[number];
export type LaterLane = Exclude<RequestLane, "realtime">;

/** Who wants to know something. */
export interface Requester {
  /** The event's lane, by which an answer is fresh enough. */
  readonly lane: Lane;
  /** The lane of its requests where that is another: an overdue event goes behind those that can still be on time. */
  readonly requestLane?: RequestLane;
  /** Until when an answer is in time, milliseconds of `ticks`; absent where nothing waits. */
  readonly deadlineAt?: number;
  /** Empty for events without one, which count as those of one tenant. */
  readonly tenant: string;
}

/** The events that wait for one request. More may join while it waits. */
export interface Waiter {
  lane: RequestLane;
  /** Each once. Others may have the very same list. */
  tenants: readonly string[];
  /** When it first came to its line, milliseconds of `ticks`. Set there. */
  since?: number;
  /** Until when a realtime event waits for it, milliseconds of `ticks`; of several the latest. Absent: without an end. */
  deadlineAt?: number | undefined;
  /** Whether nothing waits for it at the moment: it is not asked again. */
  isAbandoned?: boolean;
  /** Its number among all that came to its line, while it has one. Set by `Places`. */
  place?: number | undefined;
  /** How many requests that came later go before it. Set by `Places`. */
  behind?: number | undefined;
  /** Its number in the backfill while a realtime event waits for it, too. */
  backfillPlace?: number | undefined;
}

/** One that asks for one slot at a time on behalf of many, and chooses among them when it comes. */
export interface BatchWaiter {
  /** The weights of the tenants that have questions in a lane, added; 0 without any. */
  waits(lane: RequestLane): number;
  /** Whether the next slot answers its oldest question. The address pool may use the slot for a younger one. */
  readonly servesOldestFirst?: boolean;
  /** What waits longest in a lane, and the tenants that wait there; undefined where it cannot be told. */
  oldest?(lane: Lane): Oldest | undefined;
}

export interface Oldest {
  /** Milliseconds of `ticks`. */
  readonly since: number;
  readonly tenants: Iterable<string>;
}

export function isBatchWaiter(asker: Waiter | BatchWaiter): asker is BatchWaiter {
  return "waits" in asker;
}

export function waiterOf(claim: Requester): Waiter {
  const turn = { lane: requestLaneOf(claim), tenants: [claim.tenant] };
  return claim.deadlineAt === undefined ? turn : { ...turn, deadlineAt: claim.deadlineAt };
}

export function requestLaneOf({ lane, requestLane = lane }: Requester): RequestLane {
  return requestLane;
}

/**
 * As the pool counts it, which has two lanes. What is late has time. What is overdue goes with realtime: one request carries
 * all of it, and keeps nothing on time waiting.
 */
export function pooledClaim(claim: Requester): Requester {
  const { lane, tenant } = claim;
  const requestLane = requestLaneOf(claim);
  if (requestLane === "realtime" || requestLane === "backfill") return claim;
  return { lane, requestLane: requestLane === "overdue" ? "realtime" : "backfill", tenant };
}

/** The lane of events that a request counts as, where there are two of them: connections are kept free for what is on time. */
export function eventLane(lane: RequestLane): Lane {
  return lane === "realtime" ? lane : "backfill";
}

/**
 * No event waits for the question by a deadline any more: the turn goes to the end of another lane. It goes back to its own place
 * in the backfill: realtime events that join and leave would otherwise keep it at the end for good.
 */
export function demoteWaiter(turn: Waiter, to: LaterLane): void {
  turn.lane = to;
  turn.place = to === "backfill" ? turn.backfillPlace : undefined;
}

/** One more event joins. It moves the request to the end of its own lane, where that goes before the request's. */
export function joinWaiter(turn: Waiter, claim: Requester): void {
  const { tenant, deadlineAt } = claim;
  const lane = requestLaneOf(claim);
  if (lane === "realtime") {
    const isFirst = turn.lane !== "realtime";
    const isEndless = deadlineAt === undefined || (!isFirst && turn.deadlineAt === undefined);
    turn.deadlineAt = isEndless ? undefined : Math.max(deadlineAt, isFirst ? deadlineAt : (turn.deadlineAt ?? 0));
  }
  if (requestLanes.indexOf(lane) < requestLanes.indexOf(turn.lane)) {
    if (turn.lane === "backfill") turn.backfillPlace = turn.place;
    turn.lane = lane;
    turn.place = undefined;
  }
  if (!turn.tenants.includes(tenant)) turn.tenants = [...turn.tenants, tenant];
}
