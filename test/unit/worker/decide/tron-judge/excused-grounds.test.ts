import { describe, expect, test } from "vitest";
import { rules } from "../../../../../src/service/tron-transactions/rules/rules.ts";
import { tronSecurityRule } from "../../../../../src/worker/decide/findings/tron-security.ts";
import { notesBeside, strangerFindings } from "../../../../../src/worker/decide/tron-judge/excused-grounds.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { subject } from "../../../../fakes/evidence.ts";
import * as p from "../../../../fixtures/tron/parts.ts";

const { table } = defaultPolicy;
const [own, owner, token, stranger] = [p.friend, p.user, p.usdt, p.thief];
const parties = { role: "spender", own: [own], beside: [owner, token] };
const actions = ["ALLOW", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"];

const answer = (score: number, details: readonly (readonly [string, string])[], more: object = {}) => ({
  security: {
    overall_score: score,
    overall_risk_level: "",
    recommended_action: actions[score],
    risk_details: details.map(([name, description]) => ({ name, description })),
  },
  own_parties: parties,
  ...more,
});
const severities = (data: unknown) => tronSecurityRule(data, { subject, table })?.map(({ severity }) => severity);
const operator = ["operator_approval", `lets ${own}, of whom nothing is known, take every item`] as const;

test("the scores are those of the service's rules, and the notes only inform", () => {
  const scoreOf = new Map<string, number>(rules.map(({ name, score }) => [name, score]));
  const grounds = Object.values(strangerFindings).flatMap((scores) => Object.entries(scores));

  expect(grounds).toEqual(grounds.map(([name]) => [name, scoreOf.get(name)]));
  expect([...notesBeside].map((name) => scoreOf.get(name))).toEqual([...notesBeside].map(() => 1));
});

describe("a recommendation whose only ground is a stranger that is the user's own address", () => {
  test("does not stand, and the reason says so", () => {
    const [finding, ...others] = tronSecurityRule(answer(4, [operator]), { subject, table }) ?? [];

    expect(finding).toMatchObject({ finding: "own_address", severity: "INFO" });
    expect(finding?.detail).toContain(own);
    expect(others).toEqual([]);
  });

  test("does not stand beside a note", () => {
    expect(severities(answer(4, [operator, ["high_fee_limit", "lets the call burn up to 2000 TRX in fees"]]))).toEqual([
      "INFO",
    ]);
  });
});

describe("a recommendation stands", () => {
  test.each<[string, unknown]>([
    ["without the worker's reading", answer(4, [operator], { own_parties: undefined })],
    ["without any finding", answer(4, [])],
    ["with a finding that is not a stranger's", answer(4, [operator, ["malicious_address", "labelled as a drainer"]])],
    ["with a finding that Weir does not know", answer(4, [operator, ["odd", "two days old"]])],
    ["with a higher score than its findings explain", answer(5, [operator])],
    ["with a lower finding than its score", answer(4, [["limited_approval", `lets ${own} take some`]])],
    ["with a text about another address", answer(4, [["operator_approval", `lets ${stranger} take every item`]])],
    ["with a finding for another role", answer(4, [["proceeds_to_another", `goes to ${own}`]])],
    ["with a note alone", answer(3, [["high_fee_limit", "lets the call burn up to 2000 TRX in fees"]])],
    [
      "with a finding named like a member of every object",
      answer(4, [operator, ["constructor", "is none of the names"]]),
    ],
  ])("%s", (_what, data) => {
    expect(severities(data)).not.toContain("INFO");
    expect(severities(data)?.length).toBe(1);
  });

  test("as UNKNOWN where the answer contradicts itself", () => {
    const { security } = answer(4, [operator]);
    const data = { ...answer(4, [operator]), security: { ...security, recommended_action: "WARN" } };

    expect(severities(data)).toEqual(["UNKNOWN"]);
  });

  test("as UNKNOWN where the service could not tell the effect", () => {
    const data = answer(4, [operator, ["effect_unknown", "nothing tells what it does"]]);

    expect(severities(data)).toEqual(["BLOCK", "UNKNOWN"]);
  });
});
