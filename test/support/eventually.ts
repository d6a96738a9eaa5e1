import { setTimeout as delay } from "node:timers/promises";

/** How long killed brokers may take to come back, on a busy machine. */
export const BROKERS_MS = 60_000;

/** Reads until `predicate` holds, and returns the last value. @throws with the last value after `patienceMs`. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  predicate: (value: T) => boolean,
  what: string,
  patienceMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (predicate(value)) return value;
    if (performance.now() > deadline) throw new Error(`${what}: still ${JSON.stringify(value)?.slice(0, 500)}`);
    await delay(5);
  }
}
