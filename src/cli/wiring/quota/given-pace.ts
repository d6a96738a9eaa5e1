import { MOST_PER_SECOND } from "../../../adapters/bottleneck/bottleneck-slots.ts";
import type { Log } from "../../../kernel/log.ts";
import { ALONE_REQUESTS } from "../../../worker/rate-limit/sharing/headroom.ts";
import { aloneMinTimeMs, minTimeMs, type Quota } from "../../../worker/rate-limit/sharing/quota.ts";
import { quota as quotaField, quotaText } from "../../config/env/quota-field.ts";

/** The initial request rate for an unshared quota, and the reason why it is below the quota. */
export interface GivenPace {
  readonly perSecond: number;
  readonly reason: string;
}

/** A smaller part of the quota is worth a hint how to raise it. */
const MUCH = 0.9;

/** The request rate that a configured quota allows. */
export function givenPace(quota: Quota): GivenPace {
  const { requests, windowMs } = quota;
  const safe = 1_000 / minTimeMs(quota);
  const perSecond = 1_000 / aloneMinTimeMs(quota, 1);
  if (perSecond > MOST_PER_SECOND) {
    const reason = `one process sends at most about ${MOST_PER_SECOND} requests a second; each process that shares the quota (TOPIC_CONTROL) sends as many`;
    return { perSecond: MOST_PER_SECOND, reason };
  }
  if (perSecond > safe) {
    const reason = `the counting method of the service is unknown; at this even rate no window of ${windowOf(quota)} holds more than ${requests} requests; after a 429 the rate is ${displayedPace(safe)} until ${ALONE_REQUESTS} requests had none`;
    return { perSecond, reason };
  }
  const left =
    requests === 1
      ? "Weir sends one request in two windows, because two requests that leave a window apart may arrive in one window"
      : "Weir sends one request less than a window allows, which every counting method accepts";
  const longer = quotaText({ requests: 10 * requests, windowMs: 10 * windowMs });
  const more = `; a quota of ${longer} gives more, if the service counts so`;
  // Windows have a longest length, and the hint must not suggest a quota that is refused.
  const isLittle = (perSecond * windowMs) / 1_000 < MUCH * requests && quotaField.safeParse(longer).success;
  return { perSecond, reason: `the counting method of the service is unknown: ${left}${isLittle ? more : ""}` };
}

/** A rate as text, in the unit that gives a readable number. */
export function displayedPace(perSecond: number): string {
  const [unit, times] = perSecond >= 0.1 ? ["second", 1] : perSecond * 60 >= 0.1 ? ["minute", 60] : ["hour", 3_600];
  return `${Number((perSecond * times).toPrecision(3))} ${unit === "hour" ? "an" : "a"} ${unit}`;
}

/** Logs at the start the rate at which a configured quota is used, and the reason. */
export function sayGivenPace(quota: Quota, log: Log): void {
  const { perSecond, reason } = givenPace(quota);
  const requestsPerSecond = Number(perSecond.toPrecision(3));
  log.info(
    `SERVICE_QUOTA of ${quotaText(quota)} gives ${displayedPace(perSecond)} to a process that does not share the quota`,
    { requestsPerSecond, reason },
  );
}

function windowOf(quota: Quota): string {
  return quotaText(quota).split("/")[1] ?? "";
}
