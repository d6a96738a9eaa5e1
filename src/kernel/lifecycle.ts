import { setImmediate } from "node:timers/promises";
import { toError } from "./errors.ts";

type Close = () => Promise<void> | void;

/**
 * Closes resources, last opened first, all within one deadline. A failing or hanging close never prevents the other
 * closes.
 */
export class Lifecycle {
  readonly #closers: { readonly name: string; readonly close: Close }[] = [];

  onClose(name: string, close: Close): void {
    this.#closers.push({ name, close });
  }

  /** @returns the failures, by name. Empty when everything closed in time. Never rejects. */
  async close(deadlineMs: number): Promise<{ readonly name: string; readonly error: Error }[]> {
    const failures: { name: string; error: Error }[] = [];
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, deadlineMs);
    // After the deadline, a resource that closes immediately still may do so.
    const late = () => over.promise.then(() => setImmediate("late" as const));
    for (const { name, close } of this.#closers.splice(0).reverse()) {
      const fail = (error: Error) => void failures.push({ name, error });
      const closed = Promise.resolve()
        .then(close)
        .catch((thrown: unknown) => fail(toError(thrown)));
      if ((await Promise.race([closed, late()])) === "late") {
        fail(new Error(`${name} did not close within ${deadlineMs} ms of all`));
      }
    }
    clearTimeout(timer);
    return failures;
  }
}
