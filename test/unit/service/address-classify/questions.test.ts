import { keccak256, toFunctionSelector, toHex } from "viem";
import { expect, test } from "vitest";
import { slots } from "../../../../src/service/address-classify/proxy.ts";
import { calldataOf, functions, selectorOf } from "../../../../src/service/address-classify/questions.ts";

const V6 = "(address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)";
const V7 = "(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)";

/** The signatures of the standards, as their documents spell them. */
const signatures = {
  transfer: "transfer(address,uint256)",
  transferFrom: "transferFrom(address,address,uint256)",
  approve: "approve(address,uint256)",
  deposit: "deposit(uint256,address)",
  redeem: "redeem(uint256,address,address)",
  validateUserOpV6: `validateUserOp(${V6},bytes32,uint256)`,
  validateUserOpV7: `validateUserOp(${V7},bytes32,uint256)`,
  handleOpsV6: `handleOps(${V6}[],address)`,
  handleOpsV7: `handleOps(${V7}[],address)`,
  swapExactTokensForTokens: "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
  exactInputSingle: "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
  exactInputSingle2: "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
  execute: "execute(bytes,bytes[])",
  executeUntil: "execute(bytes,bytes[],uint256)",
  aggregate: "aggregate((address,bytes)[])",
  tryAggregate: "tryAggregate(bool,(address,bytes)[])",
  aggregate3: "aggregate3((address,bool,bytes)[])",
  getEthBalance: "getEthBalance(address)",
} satisfies Record<keyof typeof functions, string>;

test.each(Object.entries(signatures))("function %s has the selector of %s", (name, signature) => {
  expect(`0x${Object(functions)[name]}`).toBe(toFunctionSelector(signature));
});

test.each([
  ["interfaces", "supportsInterface(bytes4)"],
  ["totalSupply", "totalSupply()"],
  ["balanceOf", "balanceOf(address)"],
  ["allowance", "allowance(address,address)"],
  ["asset", "asset()"],
  ["totalAssets", "totalAssets()"],
  ["convertToAssets", "convertToAssets(uint256)"],
  ["getThreshold", "getThreshold()"],
  ["getOwners", "getOwners()"],
  ["version", "VERSION()"],
  ["token0", "token0()"],
  ["token1", "token1()"],
  ["getReserves", "getReserves()"],
  ["fee", "fee()"],
  ["slot0", "slot0()"],
  ["factory", "factory()"],
  ["weth", "WETH()"],
  ["weth9", "WETH9()"],
  ["implementation", "implementation()"],
  ["facetAddresses", "facetAddresses()"],
  ["masterCopy", "masterCopy()"],
] as const)("call %s has the selector of %s", (name, signature) => {
  expect(`0x${selectorOf(name)}`).toBe(toFunctionSelector(signature));
});

test("arguments are words, with an address padded on the left and an interface id padded on the right", () => {
  const self = `0x${"ab".repeat(20)}`;
  const word = `${"0".repeat(24)}${"ab".repeat(20)}`;

  expect(calldataOf("allowance", self)).toBe(`0xdd62ed3e${word}${word}`);
  expect(calldataOf("erc721", self)).toBe(`0x01ffc9a780ac58cd${"0".repeat(56)}`);
  expect(calldataOf("convertToAssets", self)).toBe(`0x07a2d13a${"0".repeat(63)}1`);
});

const less1 = (hash: string) => `0x${(BigInt(hash) - 1n).toString(16)}`;

test.each([
  ["implementation", less1(keccak256(toHex("eip1967.proxy.implementation")))],
  ["admin", less1(keccak256(toHex("eip1967.proxy.admin")))],
  ["beacon", less1(keccak256(toHex("eip1967.proxy.beacon")))],
  ["zeppelinos", keccak256(toHex("org.zeppelinos.proxy.implementation"))],
  ["proxiable", keccak256(toHex("PROXIABLE"))],
] as const)("the slot of %s is computed as its standard says", (name, slot) => expect(slots[name]).toBe(slot));
