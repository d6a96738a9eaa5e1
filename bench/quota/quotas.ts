import type { Enforced } from "./server.ts";

/** A quota with a goal of the project, and the server that enforces it in the bench. */
export interface QuotaCase {
  readonly name: string;
  readonly enforced: Enforced;
}

const usual = { changes: [], atOnce: 0, tells: false, failing: 0, latencyMs: [20, 30] as const, burst: 5 };
const counters = [
  { kind: "fixed", windowMs: 1_000, of: [10, 50, 200] },
  { kind: "sliding", windowMs: 1_000, of: [10, 50, 200] },
  { kind: "bucket", windowMs: 1_000, of: [10, 50, 200] },
  { kind: "fixed", windowMs: 60_000, of: [600] },
  { kind: "sliding", windowMs: 60_000, of: [600] },
  { kind: "bucket", windowMs: 60_000, of: [600] },
] as const;

/** All kinds of counters with all quotas. */
export const quotas: readonly QuotaCase[] = counters.flatMap(({ kind, windowMs, of }) =>
  of.map((requests) => ({
    name: `${kind === "bucket" ? "bucket of 5" : `${kind} window`}, ${requests}/${windowMs === 1_000 ? "s" : "min"}`,
    enforced: { ...usual, kind, windowMs, requests },
  })),
);
