/** Realtime events have somebody waiting for them; a backfill has time. */
export const lanes = ["realtime", "backfill"] as const;
export type Lane = (typeof lanes)[number];
