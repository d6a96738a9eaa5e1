import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { timerIntervals } from "./timer-intervals.ts";

/** The machine's own clock. Chosen in `cli/`; everything else takes a `Clock`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  async sleep(ms, signal) {
    try {
      const options = signal === undefined ? {} : { signal };
      for (const piece of timerIntervals(ms)) await delay(piece, undefined, options);
    } catch (thrown) {
      // Node rejects with its own AbortError; callers were promised the signal's reason.
      if (signal?.aborted) throw signal.reason;
      throw thrown;
    }
  },
};
