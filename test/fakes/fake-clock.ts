import type { Clock } from "../../src/kernel/clock.ts";

/** A clock that advances only during a sleep. Every wait is recorded in `slept`, milliseconds. */
export class FakeClock implements Clock {
  readonly slept: number[] = [];
  #ms: number;
  #wallOffsetMs = 0;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#ms = startMs;
  }

  now(): number {
    return this.#ms + this.#wallOffsetMs;
  }

  ticks(): number {
    return this.#ms;
  }

  /** Sets the wall clock by `ms` milliseconds; ticks are not affected. */
  stepWall(ms: number): void {
    this.#wallOffsetMs += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#ms += ms;
  }
}
