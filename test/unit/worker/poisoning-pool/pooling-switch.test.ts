import { expect, test } from "vitest";
import { PoolingSwitch } from "../../../../src/worker/poisoning-pool/pooling-switch.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";

const RESTS = "canaries were not answered: nothing is pooled for a while";

function pooling() {
  const [clock, log] = [new FakeClock(), new FakeLog()];
  return { clock, log, pooling: new PoolingSwitch(clock, log) };
}

test("one silent canary switches pooling off for good, and that is said once", async () => {
  const { clock, log, pooling: of } = pooling();
  of.voided("silent");
  of.voided("silent");
  await clock.sleep(1e12);
  of.sang();
  expect(of.isOff).toBe(true);
  expect(log.messages("error")).toEqual(["a canary was not flagged: pooling is off, and stays off"]);
});

test("three canaries without an answer in a row switch it off for a minute", async () => {
  const { clock, log, pooling: of } = pooling();
  of.voided("lost");
  of.voided("lost");
  expect(of.isOff).toBe(false);
  of.voided("lost");
  await clock.sleep(59_999);
  expect(of.isOff).toBe(true);
  await clock.sleep(1);
  expect(of.isOff).toBe(false);
  expect(log.messages("error")).toEqual([RESTS]);
});

test("an answered canary begins the count anew; another lost one while it is off prolongs the rest in silence", async () => {
  const { clock, log, pooling: of } = pooling();
  for (const heard of ["lost", "lost", "sang", "lost", "lost"] as const) {
    if (heard === "sang") of.sang();
    else of.voided(heard);
  }
  expect(of.isOff).toBe(false);
  of.voided("lost");
  await clock.sleep(30_000);
  of.voided("lost");
  await clock.sleep(59_999);
  expect(of.isOff).toBe(true);
  await clock.sleep(1);
  expect(of.isOff).toBe(false);
  expect(log.messages("error")).toEqual([RESTS]);
});

test("a lost canary does not shorten what a silent one ended", async () => {
  const { clock, pooling: of } = pooling();
  of.voided("silent");
  for (let lost = 0; lost < 4; lost++) of.voided("lost");
  await clock.sleep(1e12);
  expect(of.isOff).toBe(true);
});
