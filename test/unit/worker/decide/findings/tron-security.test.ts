import { describe, expect, test } from "vitest";
import { tronSecurityRule } from "../../../../../src/worker/decide/findings/tron-security.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { subject } from "../../../../fakes/evidence.ts";

const { table } = defaultPolicy;

const answer = (score: unknown, action: unknown, details: unknown = []) => ({
  security: {
    overall_score: score,
    overall_risk_level: "a level",
    recommended_action: action,
    risk_details: details,
  },
});
const find = (data: unknown) => tronSecurityRule(data, { subject, table });
const details = [
  { name: "approve_all", description: "gives everything away" },
  { name: "new_contract", description: "two days old" },
];

test.each([0, 1])("score %i with ALLOW has no finding", (score) => {
  expect(find(answer(score, "ALLOW"))).toEqual([]);
});

test.each([
  ["Significant Risk", 0],
  ["high risk", 1],
  ["Caution", 0],
])("the level %j contradicts the score %i, so the answer is ambiguous", (level, score) => {
  const { security } = answer(score, "ALLOW");

  expect(find({ security: { ...security, overall_risk_level: level } })).toEqual([
    {
      finding: "inconsistent_answer",
      severity: "UNKNOWN",
      detail: `score ${score} does not go with the level '${level}'`,
    },
  ]);
});

test.each([2, 3])("score %i with WARN warns", (score) => {
  expect(find(answer(score, "WARN", details))).toEqual([
    {
      finding: "action_warn",
      severity: "WARN",
      detail: "approve_all: gives everything away; new_contract: two days old",
    },
  ]);
});

test.each([4, 5])("score %i with BLOCK blocks", (score) => {
  expect(find(answer(score, "BLOCK"))).toEqual([{ finding: "action_block", severity: "BLOCK", detail: "no details" }]);
});

test.each([
  [0, "WARN"],
  [0, "BLOCK"],
  [1, "WARN"],
  [1, "BLOCK"],
  [2, "ALLOW"],
  [2, "BLOCK"],
  [3, "ALLOW"],
  [3, "BLOCK"],
  [4, "ALLOW"],
  [4, "WARN"],
  [5, "ALLOW"],
  [5, "WARN"],
])("score %i contradicts %s, so the answer is ambiguous", (score, action) => {
  expect(find(answer(score, action))).toEqual([
    {
      finding: "inconsistent_answer",
      severity: "UNKNOWN",
      detail: `score ${score} does not go with the action ${action}`,
    },
  ]);
});

test("details beside ALLOW are only reasons", () => {
  expect(find(answer(1, "ALLOW", details))).toEqual([
    { finding: "approve_all", severity: "INFO", detail: "gives everything away" },
    { finding: "new_contract", severity: "INFO", detail: "two days old" },
  ]);
});

test("each action has the severity of its own row", () => {
  const strict = {
    ...table,
    findings: {
      ...table.findings,
      "tron-security": { action_block: "UNKNOWN", action_warn: "BLOCK", not_analysed: "INFO" } as const,
    },
  };
  const severityOf = (data: unknown) => tronSecurityRule(data, { subject, table: strict })?.[0]?.severity;

  expect(severityOf(answer(5, "BLOCK"))).toBe("UNKNOWN");
  expect(severityOf(answer(2, "WARN"))).toBe("BLOCK");
});

describe("parts that the service did not analyse", () => {
  const open = (not_analysed: unknown, score = 0, action = "ALLOW", details: unknown = []) => {
    const { security } = answer(score, action, details);
    return { security: { ...security, not_analysed } };
  };
  const found = (detail: string) => ({ finding: "not_analysed", severity: "UNKNOWN", detail });

  test("such a part leaves an ALLOW open, except a missing execution", () => {
    expect(find(open(["execution"]))).toEqual([]);
    expect(find(open([]))).toEqual([]);
    expect(find(open(["execution", "call"]))).toEqual([found("the service could not tell: call")]);
    expect(find(open(["call"]))).toEqual([found("the service could not tell: call")]);
  });

  test("such a part counts under any name, also of a later service", () => {
    expect(find(open(["state", "a\u001b"]))).toEqual([found("the service could not tell: state, a\uFFFD")]);
  });

  test.each([
    [1, "ALLOW", "INFO"],
    [2, "WARN", "WARN"],
  ])("such a part is reported by any service's effect_unknown finding, with score %i", (score, action, severity) => {
    const unknown = [{ name: "effect_unknown", description: "calls what is not public" }];

    expect(find(answer(score, action, unknown))).toEqual([
      expect.objectContaining({ severity }),
      found("the service could not tell: calls what is not public"),
    ]);
  });

  test("such a part is reported beside the other findings", () => {
    expect(find(open(["call"], 5, "BLOCK"))).toEqual([
      { finding: "action_block", severity: "BLOCK", detail: "no details" },
      found("the service could not tell: call"),
    ]);
  });

  test("such a part has the severity of its own row", () => {
    const mild = { ...table.findings["tron-security"], not_analysed: "WARN" } as const;
    const strict = { ...table, findings: { ...table.findings, "tron-security": mild } };

    expect(tronSecurityRule(open(["call"]), { subject, table: strict })?.[0]?.severity).toBe("WARN");
  });
});

test.each([
  ["nothing", undefined],
  ["no security", {}],
  ["a score below the scale", answer(-1, "ALLOW")],
  ["a score above the scale", answer(6, "BLOCK")],
  ["a score that is text", answer("0", "ALLOW")],
  ["a fractional score", answer(0.5, "ALLOW")],
  ["no score", answer(undefined, "ALLOW")],
  ["an unknown action", answer(0, "REVIEW")],
  ["an action in lower case", answer(0, "allow")],
  ["no details", answer(0, "ALLOW", null)],
  ["what was not looked at as text", { security: { ...answer(0, "ALLOW").security, not_analysed: "call" } }],
  ["details without a name", answer(0, "ALLOW", [{ description: "x" }])],
])("evidence with %s cannot be read", (_name, data) => {
  expect(find(data)).toBeUndefined();
});
