import { expect, test } from "vitest";
import { systemClock, timestamp } from "../../../src/kernel/clock.ts";

test("an abort while asleep rejects with the signal's own reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stop");

  const sleeping = systemClock.sleep(60_000, stop.signal);
  stop.abort(reason);

  await expect(sleeping).rejects.toBe(reason);
});

test("with an already aborted signal, sleep rejects at once", async () => {
  const reason = new Error("stopped before");

  await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("sleep resolves after its time, with a signal and without one", async () => {
  const before = systemClock.ticks();

  await systemClock.sleep(2);
  await systemClock.sleep(2, new AbortController().signal);

  expect(systemClock.ticks() - before).toBeGreaterThanOrEqual(3);
});

test("a wait longer than a timer supports is slept in full", async () => {
  const stop = new AbortController();
  const sleeping = systemClock.sleep(2 ** 31, stop.signal).then(
    () => "over",
    () => "aborted",
  );
  const asleep = systemClock.sleep(50).then(() => "asleep");

  expect(await Promise.race([sleeping, asleep])).toBe("asleep");
  stop.abort(new Error("stop"));
  expect(await sleeping).toBe("aborted");
});

test("now is Unix time", () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});

test("a time on the wire is RFC 3339 in UTC with milliseconds", () => {
  expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe("2026-01-02T03:04:05.006Z");
});
