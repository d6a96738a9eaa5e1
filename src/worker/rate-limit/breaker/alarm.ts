import type { Clock } from "../../../kernel/clock.ts";

/** One timer for all who wait for the same moment. */
export class Alarm {
  readonly #clock: Pick<Clock, "ticks" | "sleep">;
  readonly #signal: AbortSignal;
  readonly #ring: () => void;
  #at = Number.POSITIVE_INFINITY;

  /**
   * @param signal ends its timers, and with that all alarms.
   * @param ring called at the moment; perhaps sooner, when it was once set to that.
   */
  constructor(clock: Pick<Clock, "ticks" | "sleep">, signal: AbortSignal, ring: () => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#ring = ring;
  }

  /** Rings at `at`, milliseconds of its clock; when it is to ring sooner, it is to be set again then. */
  set(at: number): void {
    if (this.#at <= at) return;
    this.#at = at;
    const ring = () => {
      if (this.#at === at) this.#at = Number.POSITIVE_INFINITY;
      this.#ring();
    };
    this.#clock.sleep(Math.max(0, at - this.#clock.ticks()), this.#signal).then(ring, () => undefined);
  }
}
