import fc from "fast-check";
import { expect, test } from "vitest";
import { readVerdict } from "../../../../src/archive/reading/read-verdict.ts";
import { anyChecks, subjectOfChecks, verdictOn } from "../../../support/archived-verdicts.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

const lineOf = (value: unknown) => Buffer.from(JSON.stringify(value));

test("a verdict is read whole", () => {
  fc.assert(
    fc.property(anyChecks, (checks) => {
      const verdict = verdictOn(checks, { subject: subjectOfChecks(checks), ref: { order: 7 } });
      expect(readVerdict(lineOf(verdict))).toEqual(JSON.parse(JSON.stringify(verdict)));
    }),
    propertyRuns(200),
  );
});

test("text that is no verdict is refused", () => {
  const { verdict_id: _, ...without } = verdictOn([]);
  for (const text of ["", "{", "null", "[]", '"text"', "{}", JSON.stringify(without)])
    expect(readVerdict(Buffer.from(text))).toBeUndefined();
  expect(readVerdict(lineOf({ ...verdictOn([]), verdict_id: "not a hash" }))).toBeUndefined();
});
