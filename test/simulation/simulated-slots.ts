import type { Slots } from "../../src/worker/ports.ts";
import type { Life } from "./virtual-clock.ts";

/** Slots at an exact pace, so many jobs at once, first come first. */
export class SimulatedSlots implements Slots {
  readonly #life: Life;
  readonly #maxConcurrent: number;
  #waiting: { readonly begin: () => Promise<void>; readonly reject: (reason: unknown) => void }[] = [];
  #closed: { readonly reason: unknown } | undefined;
  #minTimeMs: number;
  #nextAt = 0;
  #running = 0;
  #isAppointed = false;

  constructor(life: Life, minTimeMs: number, maxConcurrent: number) {
    this.#life = life;
    this.#minTimeMs = minTimeMs;
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
    this.#minTimeMs = minTimeMs;
  }

  /** Rejects what waits and whatever comes later. */
  close(reason: unknown): void {
    this.#closed = { reason };
    for (const { reject } of this.#waiting) reject(reason);
    this.#waiting = [];
  }

  #proceed(): void {
    if (this.#isAppointed || this.#running >= this.#maxConcurrent || this.#waiting.length === 0) return;
    this.#isAppointed = true;
    this.#life.after(this.#nextAt - this.#life.time.ticks, () => {
      this.#isAppointed = false;
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#nextAt = this.#life.time.ticks + this.#minTimeMs;
      this.#running++;
      void job.begin().finally(() => {
        this.#running--;
        this.#proceed();
      });
      this.#proceed();
    });
  }
}
