import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { abortable } from "../../../src/kernel/async.ts";
import { settled } from "../../fakes/virtual-clock.ts";

const never = new Promise<never>(() => undefined);
const reason = new Error("told to stop");

test("it resolves with the value of the promise and leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  await expect(abortable(Promise.resolve(7), signal)).resolves.toBe(7);
  await expect(abortable(Promise.reject(new TypeError("x")), signal)).rejects.toThrow("x");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an abort rejects at once with the signal's reason", async () => {
  const stopping = new AbortController();
  const ended = abortable(never, stopping.signal);
  stopping.abort(reason);
  await expect(ended).rejects.toBe(reason);
  expect(getEventListeners(stopping.signal, "abort")).toEqual([]);
});

test("an earlier abort wins over the promise, and a failure of the promise is handled", async () => {
  const aborted = AbortSignal.abort(reason);
  await expect(abortable(Promise.resolve(7), aborted)).rejects.toBe(reason);
  await expect(abortable(Promise.reject(new TypeError("x")), aborted)).rejects.toBe(reason);
  await expect(abortable(never, aborted)).rejects.toBe(reason);
  await settled();
});
