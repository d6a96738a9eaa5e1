import type { Clock } from "../../src/kernel/clock.ts";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Time that moves only when the test moves it: for what several wait for at once. */
export class ManualClock implements Clock {
  /** Every wait that was asked for, milliseconds. */
  readonly slept: number[] = [];
  readonly #sleepers = new Set<Sleeper>();
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

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.slept.push(ms);
    const stop = () => {
      this.#sleepers.delete(sleeper);
      reject(signal?.reason);
    };
    const wake = () => {
      signal?.removeEventListener("abort", stop);
      this.#sleepers.delete(sleeper);
      resolve();
    };
    const sleeper: Sleeper = { until: this.#ms + ms, wake };
    this.#sleepers.add(sleeper);
    signal?.addEventListener("abort", stop, { once: true });
    return promise;
  }

  /** Moves time on, waking each sleeper at its own moment; resolves when all that follows from it has happened. */
  async advance(ms: number): Promise<void> {
    const end = this.#ms + ms;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#ms = Math.max(this.#ms, next.until);
      next.wake();
      await settled();
    }
    this.#ms = end;
    await settled();
  }

  #next(end: number): Sleeper | undefined {
    const [first] = [...this.#sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until);
    return first;
  }
}

/** Resolves when everything that needs no time has happened. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
