import { expect, test } from "vitest";
import { type Decision, mostSevere, type Severity } from "../../../src/messages/decision.ts";

test("without a finding the decision is ALLOW", () => {
  expect(mostSevere([])).toBe("ALLOW");
});

const pairs: readonly (readonly [Severity, Severity, Decision])[] = [
  ["INFO", "INFO", "ALLOW"],
  ["INFO", "WARN", "WARN"],
  ["INFO", "UNKNOWN", "UNKNOWN"],
  ["INFO", "BLOCK", "BLOCK"],
  ["WARN", "WARN", "WARN"],
  ["WARN", "UNKNOWN", "UNKNOWN"],
  ["WARN", "BLOCK", "BLOCK"],
  ["UNKNOWN", "UNKNOWN", "UNKNOWN"],
  ["UNKNOWN", "BLOCK", "BLOCK"],
  ["BLOCK", "BLOCK", "BLOCK"],
];

test.each(pairs)("%s beside %s is %s, in either order", (a, b, decision) => {
  expect(mostSevere([{ severity: a }, { severity: b }])).toBe(decision);
  expect(mostSevere([{ severity: b }, { severity: a }])).toBe(decision);
});

test.each<[Severity, Decision]>([
  ["INFO", "ALLOW"],
  ["WARN", "WARN"],
  ["UNKNOWN", "UNKNOWN"],
  ["BLOCK", "BLOCK"],
])("%s alone is %s", (severity, decision) => {
  expect(mostSevere([{ severity }])).toBe(decision);
});
