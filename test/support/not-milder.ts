import { expect } from "vitest";
import type { Decision } from "../../src/messages/decision.ts";

/**
 * The decisions that may replace a decision when the service reports less: for ALLOW any, and no milder one otherwise.
 */
const allowed: Readonly<Record<Decision, readonly Decision[]>> = {
  ALLOW: ["ALLOW", "WARN", "UNKNOWN", "BLOCK"],
  WARN: ["WARN", "UNKNOWN", "BLOCK"],
  UNKNOWN: ["UNKNOWN", "BLOCK"],
  BLOCK: ["UNKNOWN", "BLOCK"],
};

/** Whether the decision by another service is not milder than the one by Weir's service on the same event. */
export function isNotMilder(ours: Decision, other: Decision): boolean {
  return allowed[ours].includes(other);
}

/** Expects that no decision by another service is milder than the one by Weir's service on the same event. */
export function expectNotMilder<K>(ours: ReadonlyMap<K, string>, others: ReadonlyMap<K, string>): void {
  const milder = [...ours].filter(([event, decision]) => {
    const other = others.get(event) as Decision | undefined;
    return other === undefined || !isNotMilder(decision as Decision, other);
  });
  expect(milder.map(([event, decision]) => `${event}: ${decision}, and ${others.get(event)} by the other`)).toEqual([]);
}
