import { expect, test } from "vitest";
import type { Slots } from "../../../../../src/worker/ports.ts";
import type { DemandMeter } from "../../../../../src/worker/rate-limit/sharing/demand-meter.ts";
import { meteredSlots } from "../../../../../src/worker/rate-limit/sharing/metered-slots.ts";

type Meter = Pick<DemandMeter, "waits" | "begins" | "ends" | "leaves">;

function setup(run: Slots["run"]) {
  const said: string[] = [];
  const say = (what: string) => () => void said.push(what);
  const meter: Meter = { waits: say("waits"), begins: say("begins"), ends: say("ends"), leaves: say("leaves") };
  const paces: number[] = [];
  const slots = meteredSlots({ run, pace: (ms) => void paces.push(ms) }, meter, { ticks: () => 0 });
  return { slots, said, paces };
}

test("the meter observes that a job waits, begins and ends, even if it fails", async () => {
  const { slots, said } = setup((job) => job());
  expect(await slots.run(async () => 7)).toBe(7);
  await expect(slots.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");

  expect(said).toEqual(["waits", "begins", "ends", "waits", "begins", "ends"]);
});

test("the meter observes that a job without a permit leaves", async () => {
  const { slots, said } = setup(() => Promise.reject(new Error("closed")));
  await expect(slots.run(async () => 7)).rejects.toThrow("closed");

  expect(said).toEqual(["waits", "leaves"]);
});

test("the pace is passed on unchanged", () => {
  const { slots, paces } = setup((job) => job());
  slots.pace(20);

  expect(paces).toEqual([20]);
});
