import type { Clock } from "../../../kernel/clock.ts";
import type { Slots } from "../../ports.ts";
import type { DemandMeter } from "./demand-meter.ts";

type Meter = Pick<DemandMeter, "waits" | "begins" | "ends" | "leaves">;

/** Wraps `slots` so that `meter` observes which requests wait, begin, end, and leave. */
export function meteredSlots(slots: Slots, meter: Meter, clock: Pick<Clock, "ticks">): Slots {
  return {
    pace: (minTimeMs) => slots.pace(minTimeMs),
    async run<T>(job: () => Promise<T>): Promise<T> {
      let hasBegun = false;
      meter.waits(clock.ticks());
      try {
        return await slots.run(() => {
          hasBegun = true;
          meter.begins(clock.ticks());
          return job();
        });
      } finally {
        if (hasBegun) meter.ends(clock.ticks());
        else meter.leaves(clock.ticks());
      }
    },
  };
}
