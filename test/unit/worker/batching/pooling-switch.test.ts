import { expect, test } from "vitest";
import { PoolingSwitch } from "../../../../src/worker/batching/pooling-switch.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";

const RESTS = "canaries were not answered: Weir sends no batches for a while";

function pooling() {
  const [clock, log, foundOut] = [new FakeClock(), new FakeLog(), { times: 0 }];
  return { clock, log, foundOut, pooling: new PoolingSwitch(clock, log, () => foundOut.times++) };
}

test("batching is on at first, even if the clock starts at zero", () => {
  expect(new PoolingSwitch({ ticks: () => 0 }, new FakeLog(), () => {}).isOff).toBe(false);
});

test("one silent canary switches batching off for good, and is logged once", async () => {
  const { clock, log, foundOut, pooling: of } = pooling();
  of.heard("silent");
  of.heard("silent");
  await clock.sleep(1e12);
  of.heard("sang");
  expect([of.isOff, of.isOffForGood]).toEqual([true, true]);
  expect(log.messages("error")).toEqual(["a canary was not flagged: Weir sends no more batches until a restart"]);
  expect(foundOut.times).toBe(1);
});

test("three consecutive unanswered canaries switch batching off for a minute", async () => {
  const { clock, log, foundOut, pooling: of } = pooling();
  of.heard("lost");
  of.heard("lost");
  expect(of.isOff).toBe(false);
  of.heard("lost");
  await clock.sleep(59_999);
  expect([of.isOff, of.isOffForGood]).toEqual([true, false]);
  await clock.sleep(1);
  expect(of.isOff).toBe(false);
  expect(log.messages("error")).toEqual([RESTS]);
  expect(foundOut.times).toBe(0);
});

test("an answered canary restarts the count, and a lost canary during the rest extends it without a log line", async () => {
  const { clock, log, pooling: of } = pooling();
  for (const heard of ["lost", "lost", "sang", "lost", "lost"] as const) of.heard(heard);
  expect(of.isOff).toBe(false);
  of.heard("lost");
  await clock.sleep(30_000);
  of.heard("lost");
  await clock.sleep(59_999);
  expect(of.isOff).toBe(true);
  await clock.sleep(1);
  expect(of.isOff).toBe(false);
  expect(log.messages("error")).toEqual([RESTS]);
});

test("a lost canary does not shorten the rest after a silent one", async () => {
  const { clock, pooling: of } = pooling();
  of.heard("silent");
  for (let lost = 0; lost < 4; lost++) of.heard("lost");
  await clock.sleep(1e12);
  expect(of.isOff).toBe(true);
});

test("an answer counts if all its canaries are flagged, and never again after a silent canary", async () => {
  const { clock, pooling: of } = pooling();
  expect([of.heard("sang"), of.heard("lost"), of.heard("sang")]).toEqual([true, false, true]);
  for (let lost = 0; lost < 3; lost++) of.heard("lost");
  expect([of.isOff, of.heard("sang")]).toEqual([true, true]);

  expect([of.heard("silent"), of.heard("sang")]).toEqual([false, false]);
  await clock.sleep(1e12);
  expect(of.heard("sang")).toBe(false);
});

test("refused canaries count as lost ones, but the rest of their answer counts unless a canary was silent before", () => {
  const { log, pooling: of } = pooling();
  expect([of.heard("refused"), of.heard("lost"), of.isOff]).toEqual([true, false, false]);
  expect([of.heard("refused"), of.isOff]).toEqual([true, true]);
  expect(log.messages("warn")).toEqual([
    "the service refused the canaries of a chain: Weir discards the answers about this chain",
    "a canary was not answered: Weir discards the answers of this batch",
  ]);
  expect([of.heard("silent"), of.heard("refused")]).toEqual([false, false]);
});
