import { expect, test } from "vitest";
import { joinedWarnings } from "../../../../src/cli/doctor/joined-warnings.ts";

const one = { check: "topic a", ok: "warn", detail: "has 1 replica", remedy: "use 3" } as const;
const ok = { check: "broker", ok: true, detail: "fine", remedy: "" } as const;
const failed = { check: "topic x", ok: false, detail: "does not exist", remedy: "create it" } as const;

test("equal warnings are joined at the position of the first", () => {
  expect(joinedWarnings([one, ok, { ...one, check: "topic b" }, { ...one, check: "topic c" }])).toEqual([
    { ...one, check: "topic a, topic b, topic c" },
    ok,
  ]);
});

test.each([
  ["says another thing", { ...one, check: "topic b", detail: "has 2 replicas" }],
  ["has another remedy", { ...one, check: "topic b", remedy: "use 2" }],
  ["is no warning", { ...one, check: "topic b", ok: false as const }],
])("a check that %s stays separate", (_what, other) => {
  expect(joinedWarnings([one, other])).toEqual([one, other]);
});

test("failures and passed checks are never joined", () => {
  const checks = [failed, { ...failed, check: "topic y" }, ok, { ...ok, check: "broker 2" }];

  expect(joinedWarnings(checks)).toEqual(checks);
});
