import fc from "fast-check";
import { expect, test } from "vitest";
import { readVerdict } from "../../../../src/archive/reading/read-verdict.ts";
import { Verdict } from "../../../../src/messages/verdict.ts";
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

/** Every path to a value inside `value`. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

function withValue(value: unknown, [name, ...rest]: readonly string[], replaced: unknown): unknown {
  if (name === undefined) return replaced;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[name] = withValue(copy[name], rest, replaced);
  return copy;
}

test("what is read by hand fits the schema, whatever is exchanged in it", () => {
  const whole = verdictOn([], { checks: verdictOn([]).checks });
  const checks = fc.sample(anyChecks, { numRuns: 20, seed: 1 });
  const verdicts = [whole, ...checks.map((each) => verdictOn(each, { subject: subjectOfChecks(each) }))];
  const values = [null, undefined, 0, -1, 0.5, "", "text", true, [], {}, [1], ["event"], "a".repeat(64)];
  let refused = 0;
  for (const verdict of verdicts)
    for (const path of pathsIn(verdict).slice(1))
      for (const value of values) {
        const line = lineOf(withValue(verdict, path, value));
        const read = readVerdict(line);
        if (read === undefined) refused++;
        else expect(Verdict.safeParse(JSON.parse(String(line))).success, `${path.join(".")} = ${value}`).toBe(true);
      }
  expect(refused).toBeGreaterThan(100);
});

test("text that is no verdict is refused", () => {
  const { verdict_id: _, ...without } = verdictOn([]);
  for (const text of ["", "{", "null", "[]", '"text"', "{}", JSON.stringify(without)])
    expect(readVerdict(Buffer.from(text))).toBeUndefined();
  expect(readVerdict(lineOf({ ...verdictOn([]), verdict_id: "not a hash" }))).toBeUndefined();
});
