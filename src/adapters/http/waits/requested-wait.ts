import type { IncomingHttpHeaders } from "node:http";
import { readDate } from "./date-text.ts";
import { isUsedUp, quotaResetMs } from "./rate-limit-headers.ts";
import { retryAfterMs } from "./retry-after.ts";

/**
 * Largest difference between a right clock and a Date header, which has whole seconds and travels with its answer.
 * Chosen.
 */
const AGREE_MS = 2_000;

/** The wait that a refusal requests, milliseconds from `nowMs`; undefined where it has none. */
export function requestedWaitMs(status: number, headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const serverMs = serverNow(headers.date, nowMs);
  // Quota headers come with every answer. A 403 or 503 is about the quota only where the headers report that no request
  // is left.
  const isOfQuota = status === 429 || isUsedUp(headers);
  return retryAfterMs(headers, serverMs) ?? (isOfQuota ? quotaResetMs(headers, serverMs) : undefined);
}

/** The time that a date counts from: the server's own clock, unless the local clock agrees with it. */
function serverNow(date: string | undefined, nowMs: number): number {
  const sentAt = readDate(date?.trim() ?? "", nowMs);
  const isOurs = sentAt === undefined || (nowMs >= sentAt && nowMs < sentAt + AGREE_MS);
  return isOurs ? nowMs : sentAt;
}
