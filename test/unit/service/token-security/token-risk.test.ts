import { expect, test } from "vitest";
import { tokenRisk } from "../../../../src/service/token-security/token-risk.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";

const tether = labelOf("1", "0xdac17f958d2ee523a2206206994597c13d831ec7", "token", "USDT");
const stranger = labelOf("1", "0x1111111111111111111111111111111111111111", "token");
const { chain, address } = stranger;

test.each([
  ["the symbol", "USDT", undefined],
  ["a disguised symbol", "USD\u0422", "Free"],
  ["a decorated symbol", "$USDT", undefined],
  ["only the name", "FREE", "U.S.D.T"],
])("a contract that says %s of a labelled token has risk 3", (_what, symbol, name) => {
  expect(tokenRisk({ chain, address, symbol, name }, bookOf(tether))).toBe(3);
});

test.each([
  ["another symbol", "USDC", "USD Coin"],
  ["an honest variant", "USDT.e", undefined],
  ["nothing", undefined, undefined],
])("a contract that says %s has the risk of its labels: none", (_what, symbol, name) => {
  expect(tokenRisk({ chain, address, symbol, name }, bookOf(tether))).toBeUndefined();
});

test("a labelled token is not called like another, itself included", () => {
  const older = { ...stranger, name: "USDT" };
  const names = { symbol: "USDT", name: undefined };

  expect(tokenRisk({ chain, address: tether.address, ...names }, bookOf(tether))).toBe(0);
  expect(tokenRisk({ chain, address, ...names }, bookOf(tether, older))).toBe(0);
});

test("a malicious one that is called like a token has the worse risk of its label", () => {
  const labels = bookOf(tether, labelOf("1", address, "malicious"));

  expect(tokenRisk({ chain, address, symbol: "USDT", name: undefined }, labels)).toBe(5);
});

test("a labelled protocol's contract is called like no token", () => {
  const labels = bookOf(tether, labelOf("1", address, "protocol"));

  expect(tokenRisk({ chain, address, symbol: "USDT", name: undefined }, labels)).toBe(0);
});
