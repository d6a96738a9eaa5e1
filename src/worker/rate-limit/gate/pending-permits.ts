import type { Slots } from "../../ports.ts";

/** Slots that were asked for and have not come. Nobody's: whose each is is decided when it comes. */
export class PendingPermits {
  readonly #slots: Pick<Slots, "run">;
  readonly #use: () => Promise<void>;
  readonly #fail: (reason: unknown) => void;
  readonly #awaited = new Set<object>();

  /**
   * @param use what happens in each that comes; the slot is taken until it resolves.
   * @param fail told why one will not come.
   */
  constructor(slots: Pick<Slots, "run">, use: () => Promise<void>, fail: (reason: unknown) => void) {
    this.#slots = slots;
    this.#use = use;
    this.#fail = fail;
  }

  get count(): number {
    return this.#awaited.size;
  }

  /** Asks for one more. */
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
