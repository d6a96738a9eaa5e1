import { setTimeout as delay } from "node:timers/promises";

/** Reads until `predicate` holds, and gives what was read then. @throws with the last value after 20 seconds. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  predicate: (value: T) => boolean,
  what: string,
): Promise<T> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const value = await read();
    if (predicate(value)) return value;
    if (performance.now() > deadline) throw new Error(`${what}: still ${JSON.stringify(value)?.slice(0, 500)}`);
    await delay(5);
  }
}
