import type { Slots } from "../../src/worker/ports.ts";
import { NextSlot } from "../../src/worker/rate-limit/learner/next-slot.ts";
import type { Life } from "./virtual-clock.ts";

/** Permits at an exact rate, even when the rate changes, for a number of concurrent jobs, first come first served. */
export class SimulatedSlots implements Slots {
  readonly #life: Life;
  readonly #maxConcurrent: number;
  #waiting: { readonly begin: () => Promise<void>; readonly reject: (reason: unknown) => void }[] = [];
  #closed: { readonly reason: unknown } | undefined;
  readonly #next: NextSlot;
  #running = 0;
  /** Cancels the scheduled permit. */
  #cancel: (() => void) | undefined;

  constructor(life: Life, minTimeMs: number, maxConcurrent: number) {
    this.#life = life;
    this.#next = new NextSlot(minTimeMs, 0);
    this.#maxConcurrent = maxConcurrent;
  }

  run<T>(job: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed.reason);
        return;
      }
      this.#waiting.push({ begin: () => job().then(resolve, reject), reject });
      this.#proceed();
    });
  }

  pace(minTimeMs: number): void {
    this.#next.pace(minTimeMs, this.#life.time.ticks);
    this.#cancel?.();
    this.#cancel = undefined;
    this.#proceed();
  }

  /** Rejects waiting jobs and all later jobs. */
  close(reason: unknown): void {
    this.#closed = { reason };
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting = [];
  }

  #proceed(): void {
    if (this.#cancel !== undefined || this.#running >= this.#maxConcurrent || this.#waiting.length === 0) return;
    this.#cancel = this.#life.after(this.#next.at - this.#life.time.ticks, () => {
      this.#cancel = undefined;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#next.used(this.#life.time.ticks);
      this.#running++;
      void job.begin().finally(() => {
        this.#running--;
        this.#proceed();
      });
      this.#proceed();
    });
  }
}
