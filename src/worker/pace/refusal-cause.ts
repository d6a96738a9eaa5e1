/** What says that a request is refused for load: an HTTP status, or the envelope of any other answer. */
export const refusalCauses = ["429", "503", "403", "envelope"] as const;

export type RefusalCause = (typeof refusalCauses)[number];

/** @param status of HTTP. */
export function refusalCause(status: number): RefusalCause {
  return refusalCauses.find((cause) => cause === String(status)) ?? "envelope";
}
