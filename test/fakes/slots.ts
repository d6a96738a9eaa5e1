import type { Clock } from "../../src/kernel/clock.ts";
import type { Lane } from "../../src/messages/lane.ts";
import type { Slots } from "../../src/worker/ports.ts";
import type { RequestedSlots } from "../../src/worker/rate-limit/gate/gate-slots.ts";
import type { Waiter } from "../../src/worker/rate-limit/queue/waiter.ts";
import type { SimulationRequester } from "../../src/worker/simulation/ports.ts";
import { someTurn } from "./turns.ts";

/** A permit for every request, a moment after the request, so that simultaneous requests wait together. */
export const promptSlots: RequestedSlots = {
  run: async (job) => {
    await Promise.resolve();
    return job("backfill");
  },
  look: () => undefined,
};

/** Permits that the test grants. */
export class ManualSlots implements RequestedSlots {
  readonly #requests: PromiseWithResolvers<void>[] = [];

  /** Number of requested permits that are not granted yet. */
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

/** Permits at an exact pace, in the order of the requests. */
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

/** A requester that never gives up; `sent` counts the requests that carried its question. */
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
