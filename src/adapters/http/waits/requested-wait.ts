import type { IncomingHttpHeaders } from "node:http";
import { readDate } from "./date-text.ts";
import { isUsedUp, quotaResetMs } from "./rate-limit-headers.ts";
import { retryAfterMs } from "./retry-after.ts";

/** A Date header has whole seconds, and an answer travels: a right clock differs from it by at most this. Chosen. */
const AGREE_MS = 2_000;

/** How long a refusal asks to wait, milliseconds from `nowMs`; undefined where it does not say. */
export function requestedWaitMs(status: number, headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const serverMs = serverNow(headers.date, nowMs);
  // Quota headers come with every answer: 403 and 503 are about the quota only where these say that nothing is left.
  const isOfQuota = status === 429 || isUsedUp(headers);
  return retryAfterMs(headers, serverMs) ?? (isOfQuota ? quotaResetMs(headers, serverMs) : undefined);
}

/** What a date is counted from: the server's own clock, unless ours agrees with it. */
function serverNow(date: string | undefined, nowMs: number): number {
  const sentAt = readDate(date?.trim() ?? "", nowMs);
  const isOurs = sentAt === undefined || (nowMs >= sentAt && nowMs < sentAt + AGREE_MS);
  return isOurs ? nowMs : sentAt;
}
