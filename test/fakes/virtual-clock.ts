import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../src/kernel/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that stands still until the test moves it. Who sleeps wakes in the order of time, and acts before time goes on. */
export class VirtualClock implements Clock {
  /** Every wait that was asked for, milliseconds. */
  readonly slept: number[] = [];
  #ms: number;
  #wallOffsetMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#ms = startMs;
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#ms + this.#wallOffsetMs;
  }

  ticks(): number {
    return this.#ms;
  }

  /** Sets the wall clock by so many milliseconds: ticks go on as if nothing had happened. */
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

  /** Moves time on by `ms`, waking everyone on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.#ms + ms;
    await settled();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) await this.#wake(next);
    this.#ms = until;
    await settled();
  }

  /** Moves time on until `promise` is settled. @throws what it rejects with; Error when it waits for no time. */
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

/** Resolves when everything that needs no time has happened. */
export async function settled(): Promise<void> {
  await setImmediate();
}
