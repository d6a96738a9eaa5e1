import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import type { Lane } from "../../../../src/messages/lane.ts";
import type { Ticket } from "../../../../src/messages/ticket.ts";
import { unobserved } from "../../../../src/worker/observer.ts";
import type { InputRecord } from "../../../../src/worker/ports.ts";
import { laneOf } from "../../../../src/worker/screening/screening-task.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { recordOf } from "../../../fakes/records.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const START = Date.UTC(2026, 0, 1);
const target = "0x52908400098527886e0f7030069857d2e4169ee7";
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const event = { type: "address", chain_id: "eth", address: target, user_addresses: [user] };
const withToken = { ...event, token_address: token };

/** Flags nothing, and never finishes a token, which it wants to be polled for a minute later. */
const service = () =>
  new FakeService()
    .on("poisoningBatch", (request) => {
      const item = { chain_id: "1", address: target, ...clean.target };
      const tokens = (request.token_addresses ?? []).map((each) => ({ ...each, ...clean.token }));
      const data = { target_addresses: [item], token_addresses: tokens };
      return { code: "0", status: "ok", data } as ResponseOf<"poisoningBatch">;
    })
    .on(
      "tokenSecurity",
      () => ({ code: "0", status: "in progress", pollAfter: 60 }) as unknown as ResponseOf<"tokenSecurity">,
    );

/** Screens one record, and records all notifications in order. */
async function noted(record: InputRecord, comesFirst = false) {
  const told: unknown[] = [];
  const clock = new VirtualClock(START);
  const observer = {
    ...unobserved,
    event: (lane: Lane) => told.push(["event", lane]),
    ticket: (lane: Lane) => told.push(["ticket of", lane]),
    verdict: (_verdict: unknown, lane: Lane, afterMs: number) => told.push(["verdict of", lane, afterMs]),
  };
  const sink = {
    write: async ({ revision, decision }: { revision: number; decision: string }, _of: InputRecord, isLast: boolean) =>
      void told.push(["written", revision, decision, isLast ? "the last" : "for now"]),
  };
  const worker = workerFor(service(), { clock, observer, sink });
  const tickets = {
    comesFirst,
    put: async ({ revision, due_at }: Ticket, _record: InputRecord, question: string) =>
      void told.push(["put", revision, due_at - START, question]),
  };
  worker.pool.expectMore(false);
  const onVerdict = ({ revision }: { revision: number }) => told.push(["settled", revision]);
  await screenRecord(record, { ...worker, tickets, onVerdict });
  return told;
}

const live = (content: object = event): InputRecord => ({ ...recordOf({ ...content, lane: "realtime" }) });
const aboutToken = `token|1|${token}`;

describe("the observer of a record", () => {
  test("is notified of its arrival, and of the time from the record to its written verdict", async () => {
    expect(await noted({ ...live(), timestamp: START - 700 })).toEqual([
      ["event", "realtime"],
      ["written", 0, "ALLOW", "the last"],
      ["settled", 0],
      ["verdict of", "realtime", 700],
    ]);
  });

  test("treats a record without time and lane as backfill of this moment", async () => {
    expect(await noted(recordOf(event))).toEqual([
      ["event", "backfill"],
      ["written", 0, "ALLOW", "the last"],
      ["settled", 0],
      ["verdict of", "backfill", 0],
    ]);
  });

  test("is not notified again for a record from a ticket, which has waited since it was first seen", async () => {
    const record = { ...recordOf(event), ticket: { checks: [], attempt: 1, first_seen_at: START - 5_000 } };

    expect(await noted(record)).toEqual([
      ["written", 0, "ALLOW", "the last"],
      ["settled", 0],
      ["verdict of", "backfill", 5_000],
    ]);
  });

  test("is notified for a record that replaces an earlier verdict", async () => {
    expect((await noted({ ...recordOf(event), ticket: { checks: [] } }))[0]).toEqual(["event", "backfill"]);
  });
});

describe("a record that is put off", () => {
  test("only its ticket is written, keyed by the question that it waits for", async () => {
    expect(await noted(recordOf(withToken))).toEqual([
      ["event", "backfill"],
      ["ticket of", "backfill"],
      ["put", 0, 60_000, aboutToken],
    ]);
  });

  test("if a caller waits, a provisional verdict is written, and then the ticket", async () => {
    expect(await noted(live(withToken))).toEqual([
      ["event", "realtime"],
      ["written", 0, "UNKNOWN", "for now"],
      ["settled", 0],
      ["verdict of", "realtime", 0],
      ["ticket of", "realtime"],
      ["put", 1, 60_000, aboutToken],
    ]);
  });

  test("the ticket is written first, if the sink requires that", async () => {
    expect(await noted(live(withToken), true)).toEqual([
      ["event", "realtime"],
      ["ticket of", "realtime"],
      ["put", 1, 60_000, aboutToken],
      ["written", 0, "UNKNOWN", "for now"],
      ["settled", 0],
      ["verdict of", "realtime", 0],
    ]);
  });

  test("the last time a verdict is written, and no ticket", async () => {
    const ticket = { checks: [], attempt: 10, first_seen_at: START - 86_400_000 };

    expect(await noted({ ...recordOf(withToken), ticket })).toEqual([
      ["written", 0, "UNKNOWN", "the last"],
      ["settled", 0],
      ["verdict of", "backfill", 86_400_000],
    ]);
  });

  test.each([[false], [true]])("nothing is written for a lost partition (ticket first: %s)", async (comesFirst) => {
    expect(await noted({ ...live(withToken), isOurs: () => false }, comesFirst)).toEqual([["event", "realtime"]]);
    expect(await noted({ ...recordOf(withToken), isOurs: () => false }, comesFirst)).toEqual([["event", "backfill"]]);
  });
});

test("the topic's lane wins over the event's lane", () => {
  expect(laneOf({ ...live(), lane: "backfill" })).toBe("backfill");
  expect(laneOf({ ...recordOf(event), lane: "realtime" })).toBe("realtime");
  expect(laneOf(live())).toBe("realtime");
  expect(laneOf(recordOf("{"))).toBe("backfill");
});
