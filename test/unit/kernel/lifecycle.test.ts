import { expect, test } from "vitest";
import { Lifecycle } from "../../../src/kernel/lifecycle.ts";

test("resources close one after the other, last opened first", async () => {
  const closed: string[] = [];
  const lifecycle = new Lifecycle();
  lifecycle.onClose("first", () => void closed.push("first"));
  lifecycle.onClose("second", async () => {
    closed.push("second begins");
    await Promise.resolve();
    closed.push("second ends");
  });

  const failures = await lifecycle.close(1_000);

  expect(closed).toEqual(["second begins", "second ends", "first"]);
  expect(failures).toEqual([]);
});

test("a failing close is reported by name and prevents no other close", async () => {
  const closed: string[] = [];
  const lifecycle = new Lifecycle();
  lifecycle.onClose("first", () => void closed.push("first"));
  lifecycle.onClose("throws", () => {
    throw new Error("already gone");
  });
  lifecycle.onClose("rejects", () => Promise.reject("a string"));

  const failures = await lifecycle.close(1_000);

  expect(closed).toEqual(["first"]);
  expect(failures.map(({ name, error }) => [name, error.message])).toEqual([
    ["rejects", "a string"],
    ["throws", "already gone"],
  ]);
});

test("a hanging close is given up at the deadline, and no other close gets a wait of its own", async () => {
  const closed: string[] = [];
  const lifecycle = new Lifecycle();
  lifecycle.onClose("first", () => void closed.push("first"));
  lifecycle.onClose("hangs, too", () => new Promise<void>(() => {}));
  lifecycle.onClose("hangs", () => new Promise<void>(() => {}));

  const failures = await lifecycle.close(5);

  expect(closed).toEqual(["first"]);
  expect(failures.map(({ error }) => error.message)).toEqual([
    "hangs did not close within 5 ms of all",
    "hangs, too did not close within 5 ms of all",
  ]);
});

test("closing twice closes once", async () => {
  let closes = 0;
  const lifecycle = new Lifecycle();
  lifecycle.onClose("once", () => void closes++);

  await lifecycle.close(1_000);
  await lifecycle.close(1_000);

  expect(closes).toBe(1);
});
