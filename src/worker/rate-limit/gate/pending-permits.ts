import type { Slots } from "../../ports.ts";

/** Permits that were requested and have not come. A permit is assigned to a queued request only when it comes. */
export class PendingPermits {
  readonly #slots: Pick<Slots, "run">;
  readonly #use: () => Promise<void>;
  readonly #fail: (reason: unknown) => void;
  readonly #awaited = new Set<object>();

  /**
   * @param use runs for each permit that comes. The permit is in use until the promise resolves.
   * @param fail called with the reason when a permit will not come.
   */
  constructor(slots: Pick<Slots, "run">, use: () => Promise<void>, fail: (reason: unknown) => void) {
    this.#slots = slots;
    this.#use = use;
    this.#fail = fail;
  }

  get count(): number {
    return this.#awaited.size;
  }

  /** Requests one more permit. */
  ask(): void {
    const slot = {};
    this.#awaited.add(slot);
    const use = () => {
      this.#awaited.delete(slot);
      return this.#use();
    };
    this.#slots.run(use).catch((reason: unknown) => {
      this.#awaited.delete(slot);
      this.#fail(reason);
    });
  }
}
