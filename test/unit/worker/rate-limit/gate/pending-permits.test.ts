import { expect, test } from "vitest";
import { PendingPermits } from "../../../../../src/worker/rate-limit/gate/pending-permits.ts";
import { ManualSlots } from "../../../../fakes/slots.ts";
import { settled } from "../../../../fakes/virtual-clock.ts";

function awaited() {
  const slots = new ManualSlots();
  const said: unknown[] = [];
  const use = async () => void said.push("came");
  return {
    slots,
    said,
    awaited: new PendingPermits({ run: (job) => slots.run(job) }, use, (reason) => said.push(reason)),
  };
}

test("a permit is pending from its request until it comes", async () => {
  const { slots, said, awaited: asked } = awaited();
  asked.ask();
  asked.ask();
  expect([asked.count, slots.requested]).toEqual([2, 2]);
  slots.give();
  await settled();

  expect([asked.count, said]).toEqual([1, ["came"]]);
});

test("a permit that will not come is no longer pending, and the reason is reported", async () => {
  const { slots, said, awaited: asked } = awaited();
  asked.ask();
  const closed = new Error("closed");
  slots.refuse(closed);
  await settled();

  expect([asked.count, said]).toEqual([0, [closed]]);
});
