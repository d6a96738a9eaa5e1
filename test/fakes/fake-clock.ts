import type { Clock } from "../../src/kernel/clock.ts";

/** Time that moves only when somebody sleeps. Every wait is recorded in `slept`, milliseconds. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];
  #ms: number;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#ms = startMs;
  }

  now(): number {
    return this.#ms;
  }

  ticks(): number {
    return this.#ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#ms += ms;
  }
}
