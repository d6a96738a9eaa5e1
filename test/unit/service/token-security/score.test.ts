import { describe, expect, test } from "vitest";
import type { TokenSecurityData } from "../../../../src/api/schemas/token-security.ts";
import { levels, scoreOf } from "../../../../src/service/token-security/score.ts";
import { tokenData } from "../../../fakes/token-data.ts";

const clean = tokenData();
const known = new Set<string>();
const score = (change: Partial<TokenSecurityData>, unknown: ReadonlySet<string> = known) =>
  scoreOf({ ...clean, ...change }, unknown);
const risks = (flag: string) => ({ security_risks: { ...clean.security_risks, [flag]: "1" } });
const limits = (flag: string) => ({ transfer_restrictions: { ...clean.transfer_restrictions, [flag]: "1" } });

test("the levels are those of the interface", () => {
  expect(levels).toEqual(["No Obvious Risk", "Caution", "Low Risk", "Medium Risk", "High Risk", "Significant Risk"]);
});

test.each([
  ["nothing", {}, 0],
  ["a honeypot", risks("is_honeypot"), 5],
  ["a malicious owner", { privileges: { ...clean.privileges, dev_malicious: "1" as const } }, 5],
  ["a hidden owner", risks("hidden_owner"), 3],
  ["an end by its own hand", risks("self_destruct"), 3],
  ["tokens without limit", risks("unlimited_mintable"), 3],
  ["a list of the unwanted", limits("transfer_blacklist"), 1],
  ["a switch", limits("transfer_pausable"), 1],
  ["a limit of size", limits("is_anti_whale"), 1],
  ["more tokens", { basic_info: { ...clean.basic_info, is_mintable: "1" as const } }, 1],
  ["a label", { threat_intelligence: { risk_level: "4", trust_level: "" } }, 4],
])("the score of a token with %s", (_name, change, expected) => {
  expect(score(change)).toBe(expected);
});

test.each([
  ["0.9", 0],
  ["1", 1],
  ["10", 1],
  ["20", 3],
  ["49.9", 3],
  ["50", 5],
  ["", 0],
])("a tax of %j per cent gives a score of %i, on sales and on transfers", (tax, expected) => {
  expect(score({ trade_analysis: { sell_tax: tax, transfer_tax: "0" } })).toBe(expected);
  expect(score({ trade_analysis: { sell_tax: "0", transfer_tax: tax } })).toBe(expected);
});

describe("unknown fields", () => {
  test("an unknown field hides a score that it could make worse", () => {
    expect(score({}, new Set(["security_risks.is_honeypot"]))).toBeUndefined();
    expect(score(risks("hidden_owner"), new Set(["security_risks.is_honeypot"]))).toBeUndefined();
    expect(score({}, new Set(["security_risks.hidden_owner"]))).toBeUndefined();
  });

  test("an unknown field does not hide a score that is at least its own, and a minor field hides none", () => {
    expect(score(risks("is_honeypot"), new Set(["privileges.dev_malicious"]))).toBe(5);
    expect(score(risks("self_destruct"), new Set(["security_risks.hidden_owner"]))).toBe(3);
    expect(score({}, new Set(["transfer_restrictions.is_anti_whale", "basic_info.verified"]))).toBe(0);
  });
});
