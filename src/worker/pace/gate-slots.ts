import type { Slots } from "../ports.ts";
import type { Gate } from "./gate.ts";

/** The gate for those who need a slot and nothing else: each job is one request about `event`. */
export function gateSlots(gate: Gate, event: string): Pick<Slots, "run"> {
  return {
    async run<T>(job: () => Promise<T>): Promise<T> {
      let answered: T | undefined;
      await gate.run(() => {
        const answer = job().then((value) => {
          answered = value;
        });
        return { events: [event], answer };
      });
      return answered as T;
    },
  };
}
