import { expect, test } from "vitest";
import { evmSecurityRule } from "../../../../../src/worker/decide/findings/evm-security.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { subject } from "../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const answer = (score: number, action: string, more: object = {}, data: object = {}) => ({
  security: {
    overall_score: score,
    overall_risk_level: "a level",
    recommended_action: action,
    risk_details: [],
    ...more,
  },
  ...data,
});
const find = (data: unknown, severity = table.findings["evm-security"]) =>
  evmSecurityRule(data, { subject, table: { ...table, findings: { ...table.findings, "evm-security": severity } } });

test.each([
  [0, "ALLOW", []],
  [3, "WARN", [{ finding: "action_warn", severity: "WARN", detail: "no details" }]],
  [4, "BLOCK", [{ finding: "action_block", severity: "BLOCK", detail: "no details" }]],
  [
    5,
    "ALLOW",
    [{ finding: "inconsistent_answer", severity: "UNKNOWN", detail: "score 5 does not go with the action ALLOW" }],
  ],
])("score %i with %s", (score, action, found) => {
  expect(find(answer(score, action))).toEqual(found);
});

test("a part that was not analysed is reported with the severity of its row, beside the other findings", () => {
  const blocked = answer(5, "BLOCK", { not_analysed: ["execution", "state"] });
  const detail = "the service did not look at: execution, state";

  expect(find(blocked)?.[1]).toEqual({ finding: "not_analysed", severity: "INFO", detail });
  expect(
    find(answer(0, "ALLOW", { not_analysed: ["execution"] }), {
      action_block: "BLOCK",
      action_warn: "WARN",
      not_analysed: "UNKNOWN",
      executed_clean: "INFO",
    }),
  ).toEqual([{ finding: "not_analysed", severity: "UNKNOWN", detail: "the service did not look at: execution" }]);
  expect(find(answer(0, "ALLOW", { not_analysed: [] }))).toEqual([]);
});

test("an ALLOW does not cover delegated code (EIP-7702) that the answer does not name", () => {
  const unread = { unread_delegates: ["0xab"] };

  expect(find(answer(0, "ALLOW", {}, unread))).toEqual([
    {
      finding: "delegation_unread",
      severity: "UNKNOWN",
      detail:
        "the answer does not name 0xab, which authorization_list lets act for the account: the service may have dropped the list",
    },
  ]);
  expect(find(answer(4, "BLOCK", {}, unread))?.map(({ severity }) => severity)).toEqual(["BLOCK", "UNKNOWN"]);
});

test("names and descriptions of the service cannot control a terminal, and are cut", () => {
  const risk_details = [{ name: "a\u001b[2J", description: "x".repeat(3_000) }];

  expect(find(answer(2, "WARN", { risk_details }))?.[0]?.detail).toBe(`a\uFFFD[2J: ${"x".repeat(1_999)}…`);
});

test.each([
  ["no security", {}],
  ["an unknown action", answer(0, "REVIEW")],
  ["a list of what is missing that is none", answer(0, "ALLOW", { not_analysed: "execution" })],
])("evidence with %s cannot be read", (_name, data) => {
  expect(find(data)).toBeUndefined();
});
