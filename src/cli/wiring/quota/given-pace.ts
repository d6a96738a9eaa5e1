import { MOST_PER_SECOND } from "../../../adapters/bottleneck/bottleneck-slots.ts";
import type { Log } from "../../../kernel/log.ts";
import { ALONE_REQUESTS } from "../../../worker/rate-limit/sharing/headroom.ts";
import { aloneMinTimeMs, minTimeMs, type Quota } from "../../../worker/rate-limit/sharing/quota.ts";
import { quota as quotaField, quotaText } from "../../config/env/quota-field.ts";

/** How fast one that has a quota for itself begins to ask, and why it is not as fast as the quota says. */
export interface GivenPace {
  readonly perSecond: number;
  readonly reason: string;
}

/** Less of a quota than this is worth saying how to have more. */
const MUCH = 0.9;

/** What a quota that is given comes to. */
export function givenPace(quota: Quota): GivenPace {
  const { requests, windowMs } = quota;
  const safe = 1_000 / minTimeMs(quota);
  const perSecond = 1_000 / aloneMinTimeMs(quota, 1);
  if (perSecond > MOST_PER_SECOND) {
    const reason = `one process sends no more than some ${MOST_PER_SECOND} requests a second: several that share the quota (TOPIC_CONTROL) send as many each`;
    return { perSecond: MOST_PER_SECOND, reason };
  }
  if (perSecond > safe) {
    const reason = `nobody knows how the service counts, and so evenly no window of ${windowOf(quota)} holds more than ${requests}; from a 429 on it is ${displayedPace(safe)}, until ${ALONE_REQUESTS} requests had none`;
    return { perSecond, reason };
  }
  const left =
    requests === 1
      ? "one request in two windows, since two that leave a window apart may reach the service in one"
      : "one request fewer than a window holds, which no way of counting refuses";
  const longer = quotaText({ requests: 10 * requests, windowMs: 10 * windowMs });
  const more = `; of ${longer} more would be used, if that is what the service counts`;
  // Windows end at some length: nobody is told to give what is then refused.
  const isLittle = (perSecond * windowMs) / 1_000 < MUCH * requests && quotaField.safeParse(longer).success;
  return { perSecond, reason: `nobody knows how the service counts: ${left}${isLittle ? more : ""}` };
}

/** A pace in words, in the unit in which it is a number to read. */
export function displayedPace(perSecond: number): string {
  const [unit, times] = perSecond >= 0.1 ? ["second", 1] : perSecond * 60 >= 0.1 ? ["minute", 60] : ["hour", 3_600];
  return `${Number((perSecond * times).toPrecision(3))} ${unit === "hour" ? "an" : "a"} ${unit}`;
}

/** Tells an operator at the start how fast a given quota is used, and why. */
export function sayGivenPace(quota: Quota, log: Log): void {
  const { perSecond, reason } = givenPace(quota);
  const requestsPerSecond = Number(perSecond.toPrecision(3));
  log.info(
    `SERVICE_QUOTA of ${quotaText(quota)} is used at ${displayedPace(perSecond)} by a process that has it for itself`,
    { requestsPerSecond, reason },
  );
}

function windowOf(quota: Quota): string {
  return quotaText(quota).split("/")[1] ?? "";
}
