import type { Log } from "../../../kernel/log.ts";
import type { Slots } from "../../../worker/ports.ts";
import { GivenRate } from "../../../worker/rate-limit/learner/given-rate.ts";
import { minTimeMs, type Quota } from "../../../worker/rate-limit/sharing/quota.ts";

/** Paces the requests of a configured quota. It logs the rate that the whole key tolerates, in requests a second. */
export function givenRate(quota: Quota, log: Log): GivenRate {
  const whole = minTimeMs(quota);
  const rate = (part: number) => Number(((1_000 * part) / whole).toPrecision(3));
  const onPart = (part: number) => {
    const fields = { requestsPerSecond: rate(part), given: rate(1) };
    if (part === 1) log.info("the API key allows the full SERVICE_QUOTA again", fields);
    else
      log.warn(
        "the API key allows less than SERVICE_QUOTA: the quota was lowered, or another client uses the key",
        fields,
      );
  };
  return new GivenRate({ windowMs: quota.windowMs, minTimeMs: whole, random: Math.random, onPart });
}

/** The control of the highest pace of `given` through `slots`. */
export function ceilingOf(
  given: Pick<GivenRate, "give" | "minTimeMs">,
  slots: Pick<Slots, "pace">,
): Pick<Slots, "pace"> {
  return {
    pace: (minTimeMs) => {
      given.give(minTimeMs);
      slots.pace(given.minTimeMs);
    },
  };
}
