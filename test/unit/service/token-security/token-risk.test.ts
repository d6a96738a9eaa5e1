import { expect, test } from "vitest";
import { tokenRisk, tokenTrust } from "../../../../src/service/token-security/token-risk.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";

const tether = labelOf("1", "0xdac17f958d2ee523a2206206994597c13d831ec7", "token", "USDT");
const stranger = labelOf("1", "0x1111111111111111111111111111111111111111", "token");
const { chain, address } = stranger;

test.each([
  ["the symbol", "USDT", undefined],
  ["a disguised symbol", "USD\u0422", "Free"],
  ["a decorated symbol", "$USDT", undefined],
  ["only the name", "FREE", "U.S.D.T"],
])("a contract with %s of a labelled token has risk 3", (_what, symbol, name) => {
  expect(tokenRisk({ chain, address, symbol, name }, bookOf(tether))).toBe(3);
});

test.each([
  ["another symbol", "USDC", "USD Coin"],
  ["an honest variant", "USDT.e", undefined],
  ["nothing", undefined, undefined],
])("a contract with %s has only the risk of its labels: none", (_what, symbol, name) => {
  expect(tokenRisk({ chain, address, symbol, name }, bookOf(tether))).toBeUndefined();
});

test("a labelled token does not count as named like another token, or like itself", () => {
  const older = { ...stranger, name: "USDT" };
  const names = { symbol: "USDT", name: undefined };

  expect(tokenRisk({ chain, address: tether.address, ...names }, bookOf(tether))).toBe(0);
  expect(tokenRisk({ chain, address, ...names }, bookOf(tether, older))).toBe(0);
});

test("a malicious token with the name of another has the higher risk of its label", () => {
  const labels = bookOf(tether, labelOf("1", address, "malicious"));

  expect(tokenRisk({ chain, address, symbol: "USDT", name: undefined }, labels)).toBe(5);
});

test("a labelled protocol's contract does not count as named like a token", () => {
  const labels = bookOf(tether, labelOf("1", address, "protocol"));

  expect(tokenRisk({ chain, address, symbol: "USDT", name: undefined }, labels)).toBe(0);
});

test.each([
  ["a token of risk 2", { ...stranger, name: "USDT", riskLevel: 2 as const }, 3],
  ["a token of risk 5", { ...stranger, name: "USDT", riskLevel: 5 as const }, 5],
  ["a protocol of risk 3", { ...labelOf("1", address, "protocol"), riskLevel: 3 as const }, 3],
  ["allowed", labelOf("1", address, "allowed"), 3],
])("a label as %s does not excuse a contract that is named like a token", (_what, label, risk) => {
  expect(tokenRisk({ chain, address, symbol: "USDT", name: undefined }, bookOf(tether, label))).toBe(risk);
});

test.each([
  ["no risk", undefined, undefined, "1"],
  ["risk 0", 0, undefined, "1"],
  ["risk 1", 1, undefined, undefined],
  ["risk 5", 5, undefined, undefined],
  ["no risk, and sanctioned elsewhere", undefined, labelOf("56", tether.address, "sanctioned"), undefined],
  ["no risk, and blocked elsewhere", undefined, labelOf("56", tether.address, "blocked"), undefined],
  ["no risk, and of risk 5 elsewhere", undefined, { ...labelOf("56", tether.address, "token"), riskLevel: 5 }, "1"],
  [
    "no risk, and a protocol of risk 5 elsewhere",
    undefined,
    { ...labelOf("56", tether.address, "protocol"), riskLevel: 5 },
    undefined,
  ],
  ["no risk, and allowed", undefined, labelOf("1", tether.address, "allowed"), "1"],
] as const)("a token label of %s has trust %s", (_what, riskLevel, second, trust) => {
  const first = riskLevel === undefined ? tether : { ...tether, riskLevel };

  expect(tokenTrust(chain, tether.address, second === undefined ? bookOf(first) : bookOf(first, second))).toBe(trust);
});
