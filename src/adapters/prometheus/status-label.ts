import { statuses } from "./metric-definitions.ts";

const known: readonly string[] = statuses;

/** The label of an HTTP status; 0 means no answer. */
export function statusLabel(status: number): string {
  if (status === 0) return "none";
  if (known.includes(String(status))) return String(status);
  return status >= 500 ? "5xx" : "other";
}
