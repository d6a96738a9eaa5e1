/** A caller waits for the verdict of a realtime event; a backfill event has time. */
export const lanes = ["realtime", "backfill"] as const;
export type Lane = (typeof lanes)[number];
