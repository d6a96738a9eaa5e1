import { toError } from "./errors.ts";
import { within } from "./within.ts";

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
        await within(deadlineMs, `${name} did not close`, Promise.resolve().then(close));
      } catch (thrown) {
        failures.push({ name, error: toError(thrown) });
      }
    }
    return failures;
  }
}
