import { expect, test } from "vitest";
import { UntilDue } from "../../../../src/worker/consumer/until-due.ts";
import { OUTAGE_MS, Outage } from "../../../../src/worker/rate-limit/breaker/outage.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

function setup() {
  const [clock, silence, stopping] = [new VirtualClock(), new Outage(), new AbortController()];
  const untilDue = new UntilDue(clock, silence, stopping.signal);
  const told: string[] = [];
  const wait = (name: string, ms: number, isWaitedFor = false) =>
    untilDue.wait(ms, isWaitedFor).then(
      () => told.push(name),
      (reason: unknown) => told.push(`${name}: ${String(reason)}`),
    );
  const outage = async () => {
    silence.failed(0);
    silence.answered(OUTAGE_MS);
    await settled();
  };
  return { clock, stopping, told, wait, outage };
}

test("each ticket waits for its own time, and at most 50 ms more", async () => {
  const { clock, told, wait } = setup();
  for (const [name, ms] of [
    ["c", 2_010],
    ["a", 1_000],
    ["b", 1_990],
  ] as const)
    void wait(name, ms);
  await clock.advance(999);
  expect(told).toEqual([]);
  await clock.advance(51);
  expect(told).toEqual(["a"]);
  await clock.advance(939);
  expect(told).toEqual(["a"]);
  await clock.advance(51);
  expect(told).toEqual(["a", "b"]);
  await clock.advance(50);
  expect(told).toEqual(["a", "b", "c"]);
});

test("the end of an outage ends only the waits of realtime events, and each only once", async () => {
  const { clock, told, wait, outage } = setup();
  void wait("realtime", 60_000, true);
  void wait("backfill", 60_000);
  await outage();
  expect(told).toEqual(["realtime"]);
  await clock.advance(60_050);
  await outage();
  expect(told).toEqual(["realtime", "backfill"]);
});

test("on stop, all waits are given up, and so is each later one", async () => {
  const { clock, stopping, told, wait } = setup();
  void wait("first", 1_000);
  void wait("second", 2_000, true);
  stopping.abort("stop");
  void wait("third", 0);
  await clock.advance(5_000);
  expect(told).toEqual(["first: stop", "second: stop", "third: stop"]);
});
