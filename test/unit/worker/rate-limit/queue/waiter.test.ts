import { expect, test } from "vitest";
import { joinWaiter, waiterOf } from "../../../../../src/worker/rate-limit/queue/waiter.ts";

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
