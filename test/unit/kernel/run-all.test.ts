import { expect, test } from "vitest";
import { runAll } from "../../../src/kernel/async.ts";

/** A run that ends when it is told to, unless it fails before. */
function runUntil(stop: AbortSignal, own: Promise<void> = new Promise(() => undefined)): Promise<void> {
  const stopped = new Promise<void>((resolve) => stop.addEventListener("abort", () => resolve(), { once: true }));
  return Promise.race([stopped, own]);
}

test("all run until they are told to stop", async () => {
  const stop = new AbortController();
  const running = runAll(stop.signal, (signal) => [runUntil(signal), runUntil(signal)]);
  stop.abort();

  await expect(running).resolves.toBeUndefined();
});

test("a failure stops the others and is thrown once they have ended", async () => {
  const failure = new Error("one failed");
  const order: string[] = [];
  const running = runAll(new AbortController().signal, (signal) => [
    runUntil(signal).then(() => void order.push("the other ended")),
    Promise.reject(failure),
  ]);

  await expect(
    running.catch((thrown: unknown) => {
      order.push("told");
      throw thrown;
    }),
  ).rejects.toBe(failure);
  expect(order).toEqual(["the other ended", "told"]);
});
