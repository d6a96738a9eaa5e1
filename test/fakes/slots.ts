import type { Clock } from "../../src/kernel/clock.ts";
import type { Lane } from "../../src/messages/lane.ts";
import type { Slots } from "../../src/worker/ports.ts";
import type { RequestedSlots } from "../../src/worker/rate-limit/gate/gate-slots.ts";
import type { Waiter } from "../../src/worker/rate-limit/queue/waiter.ts";
import type { SimulationRequester } from "../../src/worker/simulation/ports.ts";
import { someTurn } from "./turns.ts";

/** A slot for everyone, a moment after it was asked for: what is asked at once waits together. */
export const promptSlots: RequestedSlots = {
  run: async (job) => {
    await Promise.resolve();
    return job("backfill");
  },
  look: () => undefined,
};

/** Slots that come when the test gives them. */
export class ManualSlots implements RequestedSlots {
  readonly #requests: PromiseWithResolvers<void>[] = [];

  /** How many were asked for and not given yet. */
  get requested(): number {
    return this.#requests.length;
  }

  async run<T>(job: (lane: Lane) => Promise<T>): Promise<T> {
    const request = Promise.withResolvers<void>();
    this.#requests.push(request);
    await request.promise;
    return job("backfill");
  }

  look(): void {}

  give(): void {
    this.#requests.shift()?.resolve();
  }

  refuse(reason: Error): void {
    this.#requests.shift()?.reject(reason);
  }
}

/** Slots at an exact pace, first come first. */
export function pacedSlots(clock: Pick<Clock, "ticks" | "sleep">, gapMs: number): Slots {
  let nextAt = clock.ticks();
  return {
    async run(job) {
      const at = Math.max(nextAt, clock.ticks());
      nextAt = at + gapMs;
      await clock.sleep(at - clock.ticks());
      return job();
    },
    pace: () => undefined,
  };
}

/** An asker who never gives up; `sent` counts the requests that carried the question. */
export class PatientAsker implements SimulationRequester {
  readonly signal: AbortSignal;
  readonly turn: Waiter = someTurn("backfill");
  sent = 0;

  constructor(signal: AbortSignal = new AbortController().signal) {
    this.signal = signal;
  }

  onSent(): void {
    this.sent++;
  }
}
