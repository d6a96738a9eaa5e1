/** How a file of events is written. */
export const formats = ["ndjson", "csv", "list"] as const;
export type Format = (typeof formats)[number];
