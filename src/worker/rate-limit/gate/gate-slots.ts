import type { BatchWaiter, RequestLane, Waiter } from "../queue/waiter.ts";
import type { Gate } from "./gate.ts";

/** Slots for those who need one and nothing else; what they run is told for whom the slot came. */
export interface RequestedSlots {
  run<T>(job: (lane: RequestLane) => Promise<T>, asker: Waiter | BatchWaiter): Promise<T>;
  /** As of the gate. */
  look(): void;
}

/** The gate as such slots: each job is one request about `event`. */
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
