import { toError } from "../../kernel/errors.ts";
import type { Health } from "./admin.ts";

/**
 * What may be said of a process from its first moment on: while it waits for the brokers it is alive, and not ready, with the
 * reason; from `begun` on, what runs says so itself.
 */
export class StartingHealth implements Health {
  #running: Health | undefined;
  readonly #brokers: string;
  #reason: string;

  constructor(brokers: readonly string[]) {
    this.#brokers = `the brokers have not answered yet: ${brokers.join(",")}`;
    this.#reason = this.#brokers;
  }

  readonly live = (): readonly string[] => this.#running?.live() ?? [];
  readonly ready = (): readonly string[] => this.#running?.ready() ?? [this.#reason];

  /** @param reason why the process is not ready; undefined: it waits for the brokers. */
  waitsFor(reason: string | undefined): void {
    this.#reason = reason ?? this.#brokers;
  }

  /** What `reach` gives; why it gives nothing is known from then on. @throws what it throws. */
  async whileReaching<T>(reach: () => Promise<T>): Promise<T> {
    try {
      return await reach();
    } catch (thrown) {
      this.#reason = toError(thrown).message;
      throw thrown;
    }
  }

  begun(health: Health): void {
    this.#running = health;
  }
}
