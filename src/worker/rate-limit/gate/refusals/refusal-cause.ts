import { mayRefuseForLoad } from "../../../answers/service-errors.ts";

/** What says that a request is refused for load: an HTTP status, or the envelope of any other answer. */
export const refusalCauses = ["429", "503", "403", "envelope"] as const;

export type RefusalCause = (typeof refusalCauses)[number];

/** @param status of HTTP; 509 and the like count as 503. */
export function refusalCause(status: number): RefusalCause {
  if (mayRefuseForLoad(status)) return "503";
  return refusalCauses.find((cause) => cause === String(status)) ?? "envelope";
}
