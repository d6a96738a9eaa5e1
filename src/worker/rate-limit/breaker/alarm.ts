import type { Clock } from "../../../kernel/clock.ts";

/** One timer that all waits share. */
export class Alarm {
  readonly #clock: Pick<Clock, "ticks" | "sleep">;
  readonly #signal: AbortSignal;
  readonly #ring: () => void;
  #at = Number.POSITIVE_INFINITY;

  /**
   * @param signal ends the timers, and with the timers all alarms.
   * @param ring called at the time of the alarm. It may also be called at an earlier time that was set before.
   */
  constructor(clock: Pick<Clock, "ticks" | "sleep">, signal: AbortSignal, ring: () => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#ring = ring;
  }

  /** Rings at `at`, in milliseconds of the clock. After an early ring, the caller must set the alarm again. */
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
