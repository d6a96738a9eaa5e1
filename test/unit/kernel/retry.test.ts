import { expect, test } from "vitest";
import { ConfigInvalidError } from "../../../src/kernel/errors.ts";
import { backoffMs, withRetry } from "../../../src/kernel/retry.ts";
import { RejectedError, UnavailableError } from "../../../src/worker/service-errors.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";

const policy = { attempts: 4, baseMs: 100, maxMs: 250 };
const half = () => 0.5;

test("waits double up to the cap between retryable failures; the last error comes back unwrapped", async () => {
  const clock = new FakeClock();

  const failing = withRetry(
    async (attempt) => {
      throw new UnavailableError(`attempt ${attempt}`);
    },
    policy,
    { clock, random: half },
  );

  await expect(failing).rejects.toMatchObject({ code: "UNAVAILABLE", message: "attempt 4" });
  expect(clock.slept).toEqual([50, 100, 125]);
});

test.each([
  ["a rejection", new RejectedError("422")],
  ["a configuration error", new ConfigInvalidError("bad")],
  ["a bug", new TypeError("x is undefined")],
])("%s is not tried again", async (_name, error) => {
  const clock = new FakeClock();
  let calls = 0;

  const failing = withRetry(
    async () => {
      calls++;
      throw error;
    },
    policy,
    { clock, random: half },
  );

  await expect(failing).rejects.toBe(error);
  expect(calls).toBe(1);
  expect(clock.slept).toEqual([]);
});

test("the first success ends it, with the attempt's number from 1", async () => {
  const clock = new FakeClock();

  const value = await withRetry(
    async (attempt) => {
      if (attempt < 3) throw new UnavailableError("not yet");
      return `attempt ${attempt}`;
    },
    policy,
    { clock, random: half },
  );

  expect(value).toBe("attempt 3");
  expect(clock.slept).toEqual([50, 100]);
});

test("one attempt means no retry", async () => {
  const clock = new FakeClock();

  const failing = withRetry(
    async () => {
      throw new UnavailableError("down");
    },
    { ...policy, attempts: 1 },
    { clock, random: half },
  );

  await expect(failing).rejects.toThrow("down");
  expect(clock.slept).toEqual([]);
});

test("an abort while waiting rejects with the signal's reason", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const reason = new Error("stop");

  const failing = withRetry(
    async () => {
      stop.abort(reason);
      throw new UnavailableError("down");
    },
    policy,
    { clock, random: half },
    stop.signal,
  );

  await expect(failing).rejects.toBe(reason);
});

test.each([
  [1, 0.5, 50],
  [2, 0.5, 100],
  [3, 0.5, 125],
  [40, 0.5, 125],
  [1, 0, 0],
  [1, 0.999, 99.9],
])("after attempt %i with chance %f the wait is %f ms", (attempt, chance, ms) => {
  expect(backoffMs(policy, attempt, () => chance)).toBeCloseTo(ms, 9);
});
