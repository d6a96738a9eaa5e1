import { z } from "zod";
import type { Quota } from "../../../worker/rate-limit/sharing/quota.ts";

/** Units of a quota's window, the longest first. */
const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;
const UNIT_MS: ReadonlyMap<string, number> = new Map(UNITS);

const RULE =
  "must look like 50/1s, 600/1min, 5000/1h or 100000/1d, in digits: requests, and the window that they are for";
const DAY_MS = 86_400_000;
/**
 * Longest time for one request. The gap at half a quota (`minTimeMs`) must fit into one of Node's timers, with some
 * margin: 2^31 ms.
 */
const MOST_MS_A_REQUEST = 6 * DAY_MS;
const MOST_WINDOW_MS = 366 * DAY_MS;
/** Chosen: far more than one process sends, and the most that a statement may hold (messages/quota-statement.ts). */
const MOST_A_SECOND = 1_000_000;

/** `50/1s`, `600/h`: the most requests in any window of that length. */
export const quota = z
  .string()
  .regex(/^\d+\/\d*(ms|s|min|h|d)$/, RULE)
  .transform((text): Quota => {
    const [, requests = "", count = "", unit = ""] = /^(\d+)\/(\d*)([a-z]+)$/.exec(text) ?? [];
    return { requests: Number(requests), windowMs: (count === "" ? 1 : Number(count)) * (UNIT_MS.get(unit) ?? 0) };
  })
  .superRefine((given, context) => {
    const message = wrongWith(given);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

/** The first fault of a quota, with the remedy. */
function wrongWith({ requests, windowMs }: Quota): string | undefined {
  if (requests === 0) return "must allow at least 1 request in its window; where there is no quota, leave it out";
  if (windowMs === 0) return "must have a window longer than 0, as 50/1s has";
  if (windowMs > MOST_WINDOW_MS)
    return "must have a window of 366d at most: say what may be made in a shorter one, as 100000/30d";
  if (windowMs > MOST_MS_A_REQUEST * requests)
    return "must allow a request in 6 days at least: give more requests, or a shorter window";
  if (requests > (MOST_A_SECOND * windowMs) / 1_000)
    return "must be at most 1000000 requests a second; where there is no quota, leave it out";
  return undefined;
}

/** A quota in the form of its setting. */
export function quotaText({ requests, windowMs }: Quota): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => windowMs % ms === 0) ?? ["ms", 1];
  return `${requests}/${windowMs / unitMs}${unit}`;
}
