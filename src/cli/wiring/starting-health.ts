import { toError } from "../../kernel/errors.ts";
import type { Health } from "./admin.ts";

/**
 * The health of a process from its start. While it waits for the brokers it is alive, and not ready, with the reason.
 * From `begun` on, the running part reports its own health.
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

  /** @param reason for not being ready; undefined: the process waits for the brokers. */
  waitsFor(reason: string | undefined): void {
    this.#reason = reason ?? this.#brokers;
  }

  /** The result of `reach`. A failure becomes the reason for not being ready. @throws the error of `reach`. */
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
