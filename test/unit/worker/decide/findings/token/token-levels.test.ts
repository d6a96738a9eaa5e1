import { describe, expect, test } from "vitest";
import { isRaised, tokenSecurityRule } from "../../../../../../src/worker/decide/findings/token/token-security.ts";
import { defaultPolicy } from "../../../../../fakes/events.ts";
import { clean, subject } from "../../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const answer = (level: string, score: string, more: object = {}) => ({
  ...clean.tokenSecurity,
  overall_risk_level: level,
  overall_score: score,
  ...more,
});
const threat = (risk_level: string) => ({ threat_intelligence: { risk_level, trust_level: "" } });
const found = (data: unknown) =>
  tokenSecurityRule(data, { subject, table })?.map(({ finding, severity }) => `${finding} ${severity}`);

describe("the overall level of a token", () => {
  test.each([
    ["No Obvious Risk", "0", []],
    ["Caution", "1", []],
    ["Low Risk", "2", ["level_medium WARN"]],
    ["Medium Risk", "3", ["level_medium WARN"]],
    ["High Risk", "4", ["level_high BLOCK"]],
    ["Significant Risk", "5", ["level_high BLOCK"]],
    ["significant risk", "", ["level_high BLOCK"]],
  ])("%j with the score %j is read by the scale of the interface", (level, score, expected) => {
    expect(found(answer(level, score))).toEqual(expected);
  });

  test.each([
    ["critical", "98"],
    ["low", "2"],
    ["safe", "100"],
    ["No Obvious Risk", "98"],
    ["Caution", "0.1"],
    ["", "98"],
    ["", "5"],
    ["", "1"],
    ["", "0"],
    [" ", "0"],
    ["", ""],
    ["constructor", "__proto__"],
  ])("%j with the score %j has an unknown scale", (level, score) => {
    expect(found(answer(level, score))).toEqual(["level_unknown UNKNOWN"]);
  });

  test("a missing level has no finding if the fields without evidence are named", () => {
    expect(found(answer("", "", { unknown: ["overall_score", "security_risks.is_honeypot"] }))).toEqual([
      "is_honeypot UNKNOWN",
    ]);
  });

  test("a missing level is unknown if an adapter names the missing fields, because its service has its own scales", () => {
    const told = { unknown: ["overall_risk_level", "overall_score"], adapter: "vendor" };
    expect(found(answer("", "", told))).toEqual(["level_unknown UNKNOWN"]);
  });

  test.each([
    [{ overall_risk_level: "BLOCK" }, ["level_high BLOCK"]],
    [{ overall_score: "BLOCK" }, ["level_high BLOCK"]],
    [{ overall_risk_level: "INFO", overall_score: "BLOCK" }, ["level_high BLOCK"]],
    [{ overall_risk_level: "WARN", overall_score: "INFO" }, ["level_medium WARN"]],
    [{ overall_risk_level: "INFO", overall_score: "INFO" }, []],
    [{ overall_risk_level: "INFO" }, ["level_unknown UNKNOWN"]],
    [{ overall_score: "WARN" }, ["level_medium WARN", "level_unknown UNKNOWN"]],
    [{ overall_risk_level: "UNKNOWN", overall_score: "INFO" }, ["level_unknown UNKNOWN"]],
  ])("a level is read by the operator's scale, and UNKNOWN without a meaning: %j", (read_by, expected) => {
    expect(found(answer("critical", "98", { read_by }))).toEqual(expected);
  });

  test("Unknown is UNKNOWN unless the operator maps the word", () => {
    expect(found(answer("Unknown", "0"))).toEqual(["level_unknown UNKNOWN"]);
    const read_by = { overall_risk_level: "WARN", overall_score: "INFO" };
    expect(found(answer("Unknown", "0", { read_by }))).toEqual(["level_medium WARN"]);
  });

  test("a level that means harm raises the answer", () => {
    const raised = [
      answer("High Risk", "4"),
      answer("Low Risk", "2"),
      answer("x", "9", { read_by: { overall_score: "BLOCK" } }),
    ];

    expect(raised.map(isRaised)).toEqual([true, true, true]);
    expect([answer("Caution", "1"), answer("critical", "98")].map(isRaised)).toEqual([false, false]);
  });
});

describe("the risk level of threat intelligence", () => {
  test.each([
    ["5", ["threat_high BLOCK"]],
    ["3", ["threat_medium WARN"]],
    ["1", []],
    ["", []],
    ["High Risk", ["threat_high BLOCK"]],
    ["malicious", ["threat_unknown UNKNOWN"]],
    ["60", ["threat_unknown UNKNOWN"]],
  ])("the threat level %j beside an overall level of the known scale", (level, expected) => {
    expect(found(answer("Caution", "1", threat(level)))).toEqual(expected);
  });

  test("a threat level has an unknown scale if the overall level and score have one", () => {
    expect(found(answer("fine", "12", threat("1")))).toEqual(["level_unknown UNKNOWN", "threat_unknown UNKNOWN"]);
    const read_by = { overall_risk_level: "INFO", overall_score: "INFO", threat_risk_level: "INFO" };
    expect(found(answer("fine", "12", { ...threat("1"), read_by }))).toEqual([]);
  });
});
