import type { BatchWaiter, RequestLane, Waiter } from "../queue/waiter.ts";
import type { Gate } from "./gate.ts";

/** Permits for single requests. Each job is given the lane that its permit was granted for. */
export interface RequestedSlots {
  run<T>(job: (lane: RequestLane) => Promise<T>, asker: Waiter | BatchWaiter): Promise<T>;
  /** Checks for permits again, after a waiter gained another lane or tenant. */
  look(): void;
}

/** Wraps the gate as `RequestedSlots`: each job is one request about `event`. */
export function gateSlots(gate: Gate, event: string): RequestedSlots {
  return {
    look: () => gate.look(),
    async run<T>(job: (lane: RequestLane) => Promise<T>, asker: Waiter | BatchWaiter): Promise<T> {
      let answered: T | undefined;
      await gate.run((lane) => {
        const answer = job(lane).then((value) => {
          answered = value;
        });
        return { events: [event], answer };
      }, asker);
      return answered as T;
    },
  };
}
