import { expect, test } from "vitest";
import {
  batchedRequester,
  joinWaiter,
  requestLaneOf,
  requestLanes,
  waiterOf,
} from "../../../../../src/worker/rate-limit/queue/waiter.ts";

test("a waiter has each requesting tenant once, and is realtime once any requester is", () => {
  const turn = waiterOf({ lane: "backfill", tenant: "a" });
  expect(turn).toEqual({ lane: "backfill", tenants: ["a"] });

  joinWaiter(turn, { lane: "backfill", tenant: "b" });
  joinWaiter(turn, { lane: "backfill", tenant: "a" });
  expect(turn).toEqual({ lane: "backfill", tenants: ["a", "b"] });

  joinWaiter(turn, { lane: "realtime", tenant: "a" });
  joinWaiter(turn, { lane: "backfill", tenant: "c" });
  expect(turn).toEqual({ lane: "realtime", tenants: ["a", "b", "c"] });
});

test("one more event moves a turn to its own lane where that goes first", () => {
  const turn = waiterOf({ lane: "backfill", tenant: "a" });
  const lanes = (["late", "overdue", "late", "realtime", "overdue"] as const).map((requestLane) => {
    joinWaiter(turn, { lane: "realtime", requestLane, tenant: "a" });
    return turn.lane;
  });

  expect(lanes).toEqual(["late", "overdue", "overdue", "realtime", "realtime"]);
});

test("the batcher has overdue events with realtime where it batches, and late ones with the backfill", () => {
  const lanesOf = (isBatched: boolean) =>
    requestLanes.map((requestLane) =>
      requestLaneOf(batchedRequester({ lane: "realtime", requestLane, tenant: "a", deadlineAt: 5 }, isBatched)),
    );

  expect(lanesOf(true)).toEqual(["realtime", "realtime", "backfill", "backfill"]);
  expect(lanesOf(false)).toEqual(["realtime", "backfill", "backfill", "backfill"]);
  expect(batchedRequester({ lane: "realtime", requestLane: "late", tenant: "a" }, true)).toMatchObject({
    lane: "realtime",
    tenant: "a",
  });
});
