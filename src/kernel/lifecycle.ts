import { toError } from "./errors.ts";

type Close = () => Promise<void> | void;

/**
 * Closes what was opened, last opened first, each within its deadline.
 * One failing or hanging close never keeps the others from running.
 */
export class Lifecycle {
  readonly #closers: { readonly name: string; readonly close: Close }[] = [];

  onClose(name: string, close: Close): void {
    this.#closers.push({ name, close });
  }

  /** @returns the failures, by name; empty when everything closed in time. Never rejects. */
  async close(deadlineMs: number): Promise<{ readonly name: string; readonly error: Error }[]> {
    const failures: { name: string; error: Error }[] = [];
    for (const { name, close } of this.#closers.splice(0).reverse()) {
      try {
        await within(deadlineMs, name, close);
      } catch (thrown) {
        failures.push({ name, error: toError(thrown) });
      }
    }
    return failures;
  }
}

async function within(ms: number, name: string, close: Close): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${name} did not close within ${ms} ms`)), ms);
  try {
    await Promise.race([Promise.resolve().then(close), promise]);
  } finally {
    clearTimeout(timer);
  }
}
