import type { Lane } from "../../../messages/lane.ts";

/**
 * The lanes of requests, those first that go first. A realtime event that was past its deadline when it was read is overdue: no
 * verdict on it is on time, but it has none yet. A question of a realtime event is late when it can't be answered by the deadline
 * any more, or when the event has a verdict for the time being; it shares the slots of the backfill.
 */
export const requestLanes = ["realtime", "overdue", "late", "backfill"] as const;
export type RequestLane = (typeof requestLanes)[number];
export type LaterLane = Exclude<RequestLane, "realtime">;

/** An event that needs an answer. */
export interface Requester {
  /** The event's lane. It determines how fresh a cached answer must be. */
  readonly lane: Lane;
  /** The lane of the event's requests, if it differs. An overdue event goes behind events that can still be on time. */
  readonly requestLane?: RequestLane;
  /** Deadline of the answer, milliseconds of `ticks`. Absent when no event waits by a deadline. */
  readonly deadlineAt?: number;
  /** Empty for events without a tenant. All such events count as one tenant. */
  readonly tenant: string;
}

/** The events that wait for one request. More events may join while the request waits. */
export interface Waiter {
  lane: RequestLane;
  /** Without duplicates. Several waiters may share one array. */
  tenants: readonly string[];
  /** When the waiter first came to its queue, milliseconds of `ticks`. The gate sets it. */
  since?: number;
  /** The latest deadline of its realtime events, milliseconds of `ticks`. Absent: there is no deadline. */
  deadlineAt?: number | undefined;
  /** Whether no event waits for the answer at the moment. The question is then not asked again. */
  isAbandoned?: boolean;
  /** The waiter's position in its queue. Set by `PositionAllocator`. */
  place?: number | undefined;
  /** How many later requests go before this one. Set by `PositionAllocator` and `requeue`. */
  behind?: number | undefined;
  /** The waiter's position in backfill while a realtime event waits for it as well. */
  backfillPlace?: number | undefined;
}

/**
 * A waiter that requests one permit at a time for many questions. It chooses among the questions when the permit comes.
 */
export interface BatchWaiter {
  /** The sum of the weights of the tenants that have questions in a lane; 0 without any. */
  waits(lane: RequestLane): number;
  /** Whether the next permit answers the oldest question. The address batcher may use a permit for a younger one. */
  readonly servesOldestFirst?: boolean;
  /** The oldest question of a lane, and the tenants that wait there; undefined where it is not known. */
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
 * The requester as the address batcher counts it, which has two lanes. Late questions count as backfill. Overdue questions
 * count as realtime where requests are batched: one request carries many of them, and delays no question that can be on
 * time. Each question by itself would take a permit of realtime.
 */
export function batchedRequester(claim: Requester, isBatched: boolean): Requester {
  const { lane, tenant } = claim;
  const requestLane = requestLaneOf(claim);
  if (requestLane === "realtime" || requestLane === "backfill") return claim;
  return { lane, requestLane: requestLane === "overdue" && isBatched ? "realtime" : "backfill", tenant };
}

/** The lane of events that a request counts as, where there are two of them: connections are kept free for what is on time. */
export function eventLane(lane: RequestLane): Lane {
  return lane === "realtime" ? lane : "backfill";
}

/**
 * Moves a waiter to the end of another lane, because no event waits for its answer by a deadline. In backfill the
 * waiter returns to its own position. Realtime events that join and leave would otherwise keep it at the end for ever.
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
