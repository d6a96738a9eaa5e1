import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import type { Lane } from "../../../../../src/messages/lane.ts";
import type { BatchWaiter, RequestLane } from "../../../../../src/worker/rate-limit/queue/waiter.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { someTurn } from "../../../../fakes/turns.ts";
import { SimulatedSlots } from "../../../../simulation/simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "../../../../simulation/virtual-clock.ts";

const GAP_MS = 20;
const CONCURRENCY = 32;
const ANSWER_MS = 3_000;

/** A service that answers after three seconds, and a backfill with this many questions at once. */
function slowService(backfills = 100, concurrency = CONCURRENCY) {
  const time = new VirtualTime(seededRandom(1));
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const gate = openGate(clock, { slots: new SimulatedSlots(life, GAP_MS, concurrency), concurrency });
  let answered = 0;
  /** Asks once. @returns how long the question waited for its permit, in ms. */
  const ask = async (lane: Lane): Promise<number> => {
    const askedAt = time.ticks;
    let waitedMs = 0;
    await gate.run(() => {
      waitedMs = time.ticks - askedAt;
      return { events: ["e"], answer: clock.sleep(ANSWER_MS) };
    }, someTurn(lane));
    answered++;
    return Math.round(waitedMs);
  };
  const backfill = async () => {
    for (;;) await ask("backfill");
  };
  for (let i = 0; i < backfills; i++) void backfill();
  /** To the millisecond, though no event happens then. */
  const until = (ms: number) => {
    time.after(ms - time.ticks, () => undefined);
    return time.runUntil(() => time.ticks >= ms, ms);
  };
  return { time, clock, life, gate, ask, until, answered: () => answered };
}

test("realtime events have connections of their own where backfill uses all it gets of a slow service", async () => {
  const { life, ask, until, answered } = slowService();
  const waits: Promise<number>[] = [];
  for (let i = 0; i < 40; i++) life.after(10_000 + 1_070 * i, () => waits.push(ask("realtime")));
  await until(70_000);

  const waited = await Promise.all(waits);
  // The first event shows that realtime events come. The second comes before any backfill request has ended since.
  expect(waited.slice(0, 2)).toEqual([2_000, 950]);
  expect(Math.max(...waited.slice(2))).toBe(10);
  expect(answered()).toBe(662);
});

test("no connection is reserved where no realtime events come", async () => {
  const { until, answered } = slowService();
  await until(60_700);

  expect(answered()).toBe(32 * 20);
});

test("a batch that waits in backfill leaves at once when a realtime event joins it", async () => {
  const { time, clock, gate, ask, until } = slowService();
  void ask("realtime");
  await until(10_000);
  const waits = { realtime: 0, overdue: 0, late: 0, backfill: 1 };
  const company: BatchWaiter = { waits: (lane) => waits[lane] };
  const sent: string[] = [];
  const send = (lane: RequestLane) => {
    sent.push(`${lane} ${Math.round(time.ticks)}`);
    return { events: ["e"], answer: clock.sleep(ANSWER_MS) };
  };
  void gate.run(send, company);
  await until(10_500);
  waits.realtime = 1;
  gate.look();
  await until(10_600);

  expect(sent).toEqual(["realtime 10500"]);
});

test("a realtime event is not delayed by a permit that is the tenth for backfill", async () => {
  const { time, ask, until } = slowService(0, 16);
  void ask("realtime");
  await until(100);
  // Beside four in flight and nine realtime requests one more may leave: the tenth realtime request or the backfill
  // one.
  for (let i = 0; i < 3; i++) void ask("backfill");
  await until(200);
  const waits = [...Array.from({ length: 10 }, () => ask("realtime")), ask("backfill")];
  await until(4_000);

  expect(await Promise.all(waits)).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 200, 180]);
  expect(time.ticks).toBe(4_000);
});

test("a backfill question leaves at once when a realtime event joins it", async () => {
  const { gate, time, ask, until, clock } = slowService(8, 8);
  void ask("realtime");
  await until(10_000);
  const turn = someTurn("backfill");
  const sent: number[] = [];
  void gate.run(() => {
    sent.push(time.ticks);
    return { events: ["e"], answer: clock.sleep(ANSWER_MS) };
  }, turn);
  await until(10_500);
  gate.join(turn, { lane: "realtime", tenant: "" });
  await until(10_600);

  expect(sent).toEqual([10_500]);
});

test("only requests that were sent count as in flight", async () => {
  const { gate, time, clock, ask, until } = slowService(0, 8);
  void ask("realtime");
  await until(5_000);
  for (let i = 0; i < 3; i++) void gate.run(() => undefined, someTurn("backfill"));
  await until(5_100);
  const sent: number[] = [];
  const send = () => {
    sent.push(time.ticks);
    return { events: ["e"], answer: clock.sleep(ANSWER_MS) };
  };
  for (let i = 0; i < 8; i++) void gate.run(send, someTurn("backfill"));
  await until(7_000);

  expect(sent).toHaveLength(7);
});
