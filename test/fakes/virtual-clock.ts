import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/kernel/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * A clock that advances only when the test moves it. Sleepers wake in the order of time, and act before time goes on.
 */
export class VirtualClock implements Clock {
  /** Every requested wait, milliseconds. */
  readonly slept: number[] = [];
  #ms: number;
  #wallOffsetMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#ms = startMs;
  }

  /** Number of current sleepers. */
  get sleeping(): number {
    return this.#sleepers.size;
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
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { at: this.#ms + Math.max(0, ms), wake: resolve };
    this.#sleepers.add(sleeper);
    const stop = () => {
      this.#sleepers.delete(sleeper);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /** Moves time on by `ms`, and wakes every sleeper on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.#ms + ms;
    await settled();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) await this.#wake(next);
    this.#ms = until;
    await settled();
  }

  /** Moves time on until `promise` settles. @throws its rejection; Error when it waits without a sleeper. */
  async runUntil<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const end = () => {
      isSettled = true;
    };
    promise.then(end, end);
    for (;;) {
      await settled();
      if (isSettled) return promise;
      const next = this.#next();
      if (next === undefined) throw new Error("nobody sleeps, and it is not settled: it never will be");
      await this.#wake(next);
    }
  }

  #next(): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (next === undefined || sleeper.at < next.at) next = sleeper;
    return next;
  }

  async #wake(sleeper: Sleeper): Promise<void> {
    this.#ms = sleeper.at;
    this.#sleepers.delete(sleeper);
    sleeper.wake();
    await settled();
  }
}

/** Resolves when all work that needs no time is done. */
export async function settled(): Promise<void> {
  await setImmediate();
}
