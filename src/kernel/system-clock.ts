import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { timerIntervals } from "./timer-intervals.ts";

/** The clock of the machine. Only `cli/` chooses it; all other code takes a `Clock`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  async sleep(ms, signal) {
    try {
      const options = signal === undefined ? {} : { signal };
      for (const piece of timerIntervals(ms)) await delay(piece, undefined, options);
    } catch (thrown) {
      // Node rejects with its own AbortError, but callers expect the reason of the signal.
      if (signal?.aborted) throw signal.reason;
      throw thrown;
    }
  },
};
