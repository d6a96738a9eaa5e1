/** The formats of a file of events. */
export const formats = ["ndjson", "csv", "list"] as const;
export type Format = (typeof formats)[number];

/** The fields that a bare list has no room for. Rows of a CSV may leave them out, too. */
export interface Defaults {
  readonly chain?: string | undefined;
  readonly users: readonly string[];
  readonly token?: string | undefined;
}
