import { expect, test } from "vitest";
import { joinTurn, turnOf } from "../../../../../src/worker/rate-limit/queue/turn.ts";

test("a turn is for everyone who asked, each once, and realtime once anybody is", () => {
  const turn = turnOf({ lane: "backfill", tenant: "a" });
  expect(turn).toEqual({ lane: "backfill", tenants: ["a"] });

  joinTurn(turn, { lane: "backfill", tenant: "b" });
  joinTurn(turn, { lane: "backfill", tenant: "a" });
  expect(turn).toEqual({ lane: "backfill", tenants: ["a", "b"] });

  joinTurn(turn, { lane: "realtime", tenant: "a" });
  joinTurn(turn, { lane: "backfill", tenant: "c" });
  expect(turn).toEqual({ lane: "realtime", tenants: ["a", "b", "c"] });
});
