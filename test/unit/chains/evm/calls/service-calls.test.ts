import { type Abi, type AbiParameter, encodeFunctionData, parseAbiItem, toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { canonicalSignature, readSignature } from "../../../../../src/chains/evm/abi/abi-type.ts";
import { argumentRoles } from "../../../../../src/chains/evm/calls/argument-roles.ts";
import { serviceCalls } from "../../../../../src/chains/evm/calls/tables/service-calls.ts";
import { readTransaction, selectorOf } from "../../../../../src/chains/evm/read-transaction.ts";

/** Address number `n`. Small numbers are avoided, since routers read them as markers. */
const numbered = (n: number): CanonicalAddress =>
  `0x${(0xabc000 + n).toString(16).padStart(40, "5")}` as CanonicalAddress;
const [ME, CONTRACT] = [numbered(1), numbered(2)];

/** A value of each type. Each address is a new one. Bytes hold an address of their own. */
function sampleOf(type: AbiParameter, next: () => CanonicalAddress): unknown {
  const [, base = "", size] = /^(.*)\[(\d*)\]$/.exec(type.type) ?? [];
  if (base !== "") return Array.from({ length: Number(size || 2) }, () => sampleOf({ ...type, type: base }, next));
  if (type.type === "tuple")
    return (type as unknown as { components: AbiParameter[] }).components.map((each) => sampleOf(each, next));
  if (type.type === "address") return next();
  if (type.type === "bool") return true;
  if (type.type === "string") return "text";
  if (type.type === "bytes") return `0x${"66".repeat(20)}`;
  if (type.type === "bytes32") return `0x${next().slice(2).padStart(64, "0")}`;
  if (type.type.startsWith("bytes")) return `0x${"77".repeat(Number(type.type.slice(5)))}`;
  return Number(/\d+$/.exec(type.type)?.[0]) <= 48 ? 7 : 7n;
}

/** viem writes arguments with names, so each role becomes the name of an argument. */
function encoded(text: string): { readonly data: string; readonly named: readonly CanonicalAddress[] } {
  const canonical = canonicalSignature(text);
  const abi = [parseAbiItem(`function ${canonical}` as never)] as unknown as Abi;
  const named: CanonicalAddress[] = [];
  const next = () => {
    const address = numbered(10 + named.length);
    named.push(address);
    return address;
  };
  const inputs = (abi[0] as { inputs: readonly AbiParameter[] }).inputs;
  const addresses: CanonicalAddress[] = [];
  const args = inputs.map((each) => sampleOf(each, next));
  JSON.stringify(args, (_, value) => {
    if (typeof value === "string" && value.length === 42 && named.includes(value as CanonicalAddress))
      addresses.push(value as CanonicalAddress);
    return typeof value === "bigint" ? String(value) : value;
  });
  return { data: encodeFunctionData({ abi, args: args as never }).slice(2), named: addresses };
}

describe("the table of services' functions", () => {
  test("has a role for each name", () => {
    const names = serviceCalls.flatMap((text) => [...text.matchAll(/ (\w+)/g)].map(([, name = ""]) => name));

    expect([...new Set(names)].filter((name) => !argumentRoles.includes(name as never))).toEqual([]);
  });

  test("has the selectors that viem computes", () => {
    const differing = serviceCalls
      .map(canonicalSignature)
      .filter((text) => `0x${selectorOf(text)}` !== toFunctionSelector(`function ${text}`));

    expect(differing).toEqual([]);
  });

  test("reads calldata that viem writes, for each function", () => {
    const broken = serviceCalls.filter((text) => {
      const { data } = encoded(text);
      const { unexplained } = readTransaction({ from: ME, to: CONTRACT, value: 0n, data, delegates: [] });
      return unexplained.some(({ why }) => why !== "opaque_bytes");
    });

    expect(broken).toEqual([]);
  });

  test("makes each address argument a party", () => {
    const missing = serviceCalls.flatMap((text) => {
      const { data, named } = encoded(text);
      const { acts, tokens, mentions } = readTransaction({ from: ME, to: CONTRACT, value: 0n, data, delegates: [] });
      const parties = new Set<string>([
        ...acts.flatMap((act) => Object.values(act).map(String)),
        ...tokens,
        ...mentions,
      ]);
      return named.filter((address) => !parties.has(address)).length > 0 ? [text] : [];
    });

    expect(missing).toEqual([]);
  });

  test("says of each signature what viem says of its types", () => {
    expect(() => serviceCalls.map((text) => readSignature(text))).not.toThrow();
  });
});
