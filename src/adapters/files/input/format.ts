/** How a file of events is written. */
export const formats = ["ndjson", "csv", "list"] as const;
export type Format = (typeof formats)[number];

/** What a bare list cannot say about its addresses; rows of a CSV may leave it out too. */
export interface Defaults {
  readonly chain?: string | undefined;
  readonly users: readonly string[];
  readonly token?: string | undefined;
}
