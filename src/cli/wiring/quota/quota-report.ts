import type { CheckedItem } from "../../../adapters/kafka/topics/check.ts";
import { countText } from "../../../kernel/text.ts";
import { type MeasuredQuota, QUOTA_OF_RATE } from "../../../worker/rate-limit/gate/quota-measurement.ts";
import type { LearnedQuota } from "../../../worker/rate-limit/learner/learned-quota.ts";
import { duration } from "../../terminal/progress.ts";
import { QUOTA_REQUESTS } from "./measurement-bounds.ts";

const check = "quota";

/** The advice on a quota for several workers. */
export const SHARE_QUOTA = "set SERVICE_QUOTA to what the key may make in all: they share it by TOPIC_CONTROL";

/**
 * A quota counts as closed when it was exhausted for this long, milliseconds, and for half of the measurement. No
 * window of a minute is exhausted for so long.
 */
const CLOSED_MS = 120_000;

/** The reasons for an early end of a measurement, in words. */
const ENDED = new Map<MeasuredQuota["end"], string>([
  ["stopped", "stopped, "],
  ["down", "the service went down, "],
]);

/** The progress of a measurement in one line. */
export function measuringLine({ requests, refused, tookMs, usedUpMs }: MeasuredQuota, maxMs: number): string {
  const parts = [
    `measuring for ${duration(tookMs / 1_000)} of ${duration(maxMs / 1_000)}`,
    countText(requests, "request"),
    `${refused} × 429`,
  ];
  if (usedUpMs > 0) parts.push(`used up for ${duration(usedUpMs / 1_000)}`);
  return parts.join(" · ");
}

/** The result of a measurement, with advice. */
export function measuredCheck(measured: MeasuredQuota): CheckedItem {
  const { learned, taken, refused, tookMs, usedUpMs, end } = measured;
  const how = howItWent(measured);
  if (learned !== undefined) {
    const quota = quotaFor(learned);
    const remedy = `weir screen and one worker learn the same, or begin with it by SERVICE_QUOTA=${quota}; for several workers ${SHARE_QUOTA} (as measured, ${quota})`;
    return { check, ok: true, detail: `measured: ${learnedText(learned)} (${how})`, remedy };
  }
  if (refused === 0 && end === "requests") return noneMet(measured, how);
  if (usedUpMs >= Math.max(CLOSED_MS, tookMs / 2)) {
    const detail = `closed: ${how}`;
    const remedy = "a quota of an hour or a day is used up: ask again when it opens, or ask the service's operator";
    return { check, ok: "warn", detail, remedy };
  }
  const perSecond = displayed((1_000 * taken) / Math.max(1, tookMs));
  const detail = `${ENDED.get(end) ?? ""}not found out: ${perSecond} requests a second were taken (${how})`;
  return { check, ok: "warn", detail, remedy: remedyOf(end) };
}

/** With fewer requests than a quota may need to show itself, the result is open. */
function noneMet({ requests }: MeasuredQuota, how: string): CheckedItem {
  if (requests >= QUOTA_REQUESTS) return { check, ok: true, detail: `none was met: ${how}`, remedy: "" };
  const remedy = `allow more requests, as --quota ${QUOTA_REQUESTS}: fewer may end before a quota is used up`;
  return { check, ok: "warn", detail: `not found out, none was met so far: ${how}`, remedy };
}

function remedyOf(end: MeasuredQuota["end"]): string {
  if (end === "requests") return "allow more requests, as --quota 50000, or ask the service's operator";
  if (end === "time") return "allow more time, as --quota-minutes 60, or ask the service's operator";
  if (end === "down") return "ask again when it is back: the same command begins anew";
  return "nothing is kept of it: the same command begins anew";
}

function howItWent({ requests, refused, failed, tookMs, usedUpMs }: MeasuredQuota): string {
  const usedUp = usedUpMs > 0 ? `, nothing but 429s in the last ${duration(usedUpMs / 1_000)}` : "";
  const without = failed > 0 ? `, ${failed} failed` : "";
  return `${countText(requests, "request")} in ${duration(tookMs / 1_000)}, ${refused} of them refused${without}${usedUp}`;
}

/** A learned quota as text, with its certainty. */
export function learnedText({ perSecond, burst, windowMs }: LearnedQuota): string {
  const { least, most } = QUOTA_OF_RATE;
  const beyond = burst > 0 ? `, ${Math.round(burst)} more at once` : "";
  const window = `counted over ${displayed(windowMs / 1_000)} s or so, as far as that shows`;
  return `${displayed(perSecond)} requests a second may be sent, of a quota of ${displayed(least * perSecond)} to ${displayed(most * perSecond)}${beyond}, ${window}`;
}

/** A quota with the measured rate, or slightly less. Source: `minTimeMs`, which subtracts one request. */
function quotaFor({ perSecond }: LearnedQuota): string {
  if (perSecond >= 10) return `${Math.floor(perSecond) + 1}/1s`;
  const perMinute = Math.floor(60 * perSecond);
  return perMinute >= 1 ? `${perMinute + 1}/1min` : `2/${Math.ceil(1 / (60 * perSecond))}min`;
}

/** A measured figure, to three digits. */
export function displayed(figure: number): string {
  return String(Number(figure.toPrecision(3)));
}
