import type { Company, RequestLane, Turn } from "../queue/turn.ts";
import type { Gate } from "./gate.ts";

/** Slots for those who need one and nothing else; what they run is told for whom the slot came. */
export interface AskedSlots {
  run<T>(job: (lane: RequestLane) => Promise<T>, asker: Turn | Company): Promise<T>;
  /** As of the gate. */
  look(): void;
}

/** The gate as such slots: each job is one request about `event`. */
export function gateSlots(gate: Gate, event: string): AskedSlots {
  return {
    look: () => gate.look(),
    async run<T>(job: (lane: RequestLane) => Promise<T>, asker: Turn | Company): Promise<T> {
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
