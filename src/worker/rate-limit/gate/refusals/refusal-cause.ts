import { mayRefuseForLoad } from "../../../answers/service-errors.ts";

/** What shows that a request is refused for load: an HTTP status, or the envelope of any other answer. */
export const refusalCauses = ["429", "503", "403", "envelope"] as const;

export type RefusalCause = (typeof refusalCauses)[number];

/** @param status HTTP status. 509 and similar statuses count as 503. */
export function refusalCause(status: number): RefusalCause {
  if (mayRefuseForLoad(status)) return "503";
  return refusalCauses.find((cause) => cause === String(status)) ?? "envelope";
}
