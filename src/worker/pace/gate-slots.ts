import type { Gate } from "./gate.ts";

/** The gate for those who need a slot and nothing else: each job is one request, about an event of its own. */
export function gateSlots(gate: Gate): { run<T>(job: () => Promise<T>): Promise<T> } {
  let jobs = 0;
  return {
    async run<T>(job: () => Promise<T>): Promise<T> {
      let answered: T | undefined;
      jobs++;
      const event = `job|${jobs}`;
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
