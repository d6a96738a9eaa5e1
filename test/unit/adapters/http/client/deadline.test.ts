import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { withDeadline } from "../../../../../src/adapters/http/client/deadline.ts";

/** Ends only when its signal aborts, with the signal's reason. */
function untilAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}

test("work that ends in time returns its result, and no listener remains", async () => {
  const stop = new AbortController();

  const value = await withDeadline(60_000, stop.signal, async (signal) => signal.aborted);

  expect(value).toBe(false);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

test("work that fails throws its own error, and no listener remains", async () => {
  const stop = new AbortController();
  const error = new Error("boom");

  const working = withDeadline(60_000, stop.signal, () => Promise.reject(error));

  await expect(working).rejects.toBe(error);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});

test("work that takes too long is aborted", async () => {
  const working = withDeadline(5, new AbortController().signal, untilAborted);

  await expect(working).rejects.toThrow("no answer within 5 ms");
});

test("work with a renewed timeout has the new time from then on", async () => {
  const working = withDeadline(60_000, new AbortController().signal, (signal, renew) => {
    renew(5);
    return untilAborted(signal);
  });

  await expect(working).rejects.toThrow("no answer within 5 ms");
});

test("an abort from outside reaches the work with its reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stop");

  const working = withDeadline(60_000, stop.signal, untilAborted);
  stop.abort(reason);

  await expect(working).rejects.toBe(reason);
});

test("work is not begun after an abort", async () => {
  const reason = new Error("stopped before");
  let begun = false;

  const working = withDeadline(60_000, AbortSignal.abort(reason), async () => {
    begun = true;
  });

  await expect(working).rejects.toBe(reason);
  expect(begun).toBe(false);
});
