import { expect, test } from "vitest";
import type { Severity } from "../../../../src/messages/decision.ts";
import type { Reason } from "../../../../src/messages/verdict.ts";
import { keptReasons } from "../../../../src/worker/decide/kept-reasons.ts";

const reasonOf = (i: number, severity: Severity = "WARN"): Reason => {
  return { check: "poisoning", finding: `finding_${i}`, severity, detail: "d" };
};
const some = (count: number, severity?: Severity) => Array.from({ length: count }, (_, i) => reasonOf(i, severity));
const bounds = (count: number) => ({ count, detail: 200, details: 10_000 });
const more = (count: number) => `${count} more reasons are not repeated here`;

test.each([
  [[20], 31],
  [[50, 8], 43],
  [[30, 20, 8], 43],
  [[8, 20], 43],
  [[8, 8], 43],
])("reduced to %j in turn, those that are left out are counted once each", (counts, hidden) => {
  let reasons: readonly Reason[] = some(50);
  for (const count of counts) reasons = keptReasons(reasons, bounds(count));

  expect(reasons.at(-1)?.detail).toBe(more(hidden));
});

test("the count stays where reasons that weigh less than it are left out", () => {
  const before = [...some(3, "BLOCK"), ...some(9, "INFO")];

  const [first, last, ...others] = keptReasons(keptReasons(before, bounds(6)), bounds(2));

  expect([first, last?.finding, last?.detail, others]).toEqual([reasonOf(0, "BLOCK"), "more_reasons", more(11), []]);
});

test("a finding of a check that has the same name is a reason like any other", () => {
  const own = { ...reasonOf(0), finding: "more_reasons", detail: "900 of it" };

  expect(keptReasons([own, ...some(9)], bounds(2)).at(-1)?.detail).toBe(more(9));
});
