import { describe, expect, test } from "vitest";
import { applyRules, collectFindings, type ScoredRule } from "../../../../src/service/rules/rule-engine.ts";

describe("a table of scored rules", () => {
  const rules: readonly ScoredRule<number>[] = [
    { name: "above_1", score: 1, finds: (facts) => (facts > 1 ? `${facts} is above 1` : undefined) },
    { name: "above_2", score: 5, finds: (facts) => (facts > 2 ? `${facts} is above 2` : undefined) },
    { name: "odd", score: 5, finds: (facts) => (facts % 2 === 1 ? "odd" : undefined) },
  ];

  test("reports the rules that fire, the highest score first", () => {
    expect(applyRules(rules, 3)).toEqual([
      { name: "above_2", score: 5, description: "3 is above 2" },
      { name: "odd", score: 5, description: "odd" },
      { name: "above_1", score: 1, description: "3 is above 1" },
    ]);
  });

  test("reports nothing when no rule fires", () => {
    expect(applyRules(rules, 0)).toEqual([]);
  });
});

test("of findings with one key the first one stays", () => {
  const rules = [
    () => [{ key: "a", by: 1 }],
    () => [
      { key: "b", by: 2 },
      { key: "a", by: 2 },
    ],
  ];

  expect(collectFindings(rules, undefined, ({ key }) => key)).toEqual([
    { key: "a", by: 1 },
    { key: "b", by: 2 },
  ]);
});
