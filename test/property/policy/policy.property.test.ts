import fc from "fast-check";
import { expect, test } from "vitest";
import policyFile from "../../../data/policy.json" with { type: "json" };
import { type Severity, severities } from "../../../src/messages/decision.ts";
import { PolicyTable, strictestOf } from "../../../src/policy/policy.ts";

const template = PolicyTable.parse(policyFile.tables.default);
const rows = Object.entries(template.findings).flatMap(([check, findings]) =>
  Object.keys(findings).map((finding) => [check, finding] as const),
);

/** A table with any level in every row. */
const table = fc
  .array(fc.constantFrom(...severities), { minLength: rows.length, maxLength: rows.length })
  .map((levels) => {
    const findings: Record<string, Record<string, Severity | undefined>> = structuredClone(template.findings);
    for (const [i, [check, finding]] of rows.entries()) {
      const group = findings[check];
      if (group !== undefined) group[finding] = levels[i];
    }
    return PolicyTable.parse({ ...template, findings });
  });

const levelsOf = ({ findings }: PolicyTable) =>
  Object.values(findings).flatMap((group) => Object.values(group).map((level) => severities.indexOf(level)));

test("each row of the strictest table is the most severe of that row in any table", () => {
  fc.assert(
    fc.property(fc.array(table, { minLength: 1, maxLength: 4 }), (tables) => {
      const strictest = levelsOf(strictestOf(tables));

      const expected = rows.map((_row, i) => Math.max(...tables.map((each) => levelsOf(each)[i] ?? -1)));
      expect(strictest).toEqual(expected);
    }),
  );
});
