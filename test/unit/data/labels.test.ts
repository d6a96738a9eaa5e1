import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import { type Family, families } from "../../../src/chains/chain.ts";
import { toChecksumAddress } from "../../../src/chains/evm-address.ts";
import { lookalike } from "../../../src/chains/lookalike.ts";
import { findChain } from "../../../src/chains/registry.ts";

const columns = ["chain", "address", "name", "kind", "source", "date", "licence"];
const kinds = ["bridge", "protocol", "token"];
const licences = ["MIT", "Apache-2.0"];

/** Pairs of labels that resemble each other, each with the reason why both stay. */
const knownLookalikes: readonly { readonly pair: readonly [string, string]; readonly why: string }[] = [];

const lines = readFileSync(new URL("../../../data/labels.csv", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

interface Row {
  readonly line: string;
  readonly family: Family;
  readonly chainId: string;
  readonly text: string;
  readonly address: CanonicalAddress;
  readonly kind: string;
}

/** The script that makes the file refuses commas and quotes in a cell, so a plain split reads it. */
const rows = lines.slice(1).map((line): Row => {
  const [chainId = "", text = "", , kind = ""] = line.split(",");
  const chain = findChain(chainId);
  if (chain === undefined || chain.id !== chainId) throw new Error(`not a canonical chain id: ${line}`);
  const address = parseAddress(chain.family, text);
  if (!address.ok) throw new Error(`${address.detail}: ${line}`);
  return { line, family: chain.family, chainId, text, address: address.value, kind };
});

test("the file has the columns that label files have, and a few hundred rows", () => {
  expect(lines[0]).toBe(columns.join(","));
  expect(rows.length).toBeGreaterThanOrEqual(150);
  expect(rows.filter(({ line }) => line.split(",").length !== columns.length)).toEqual([]);
});

test("every row has an allowed kind and licence, a name, a pinned source and a date", () => {
  for (const line of lines.slice(1)) {
    const [, , name, kind, source, date, licence] = line.split(",");
    expect(kinds, line).toContain(kind);
    expect(licences, line).toContain(licence);
    expect(name, line).toMatch(/\S/);
    expect(source, line).toMatch(/^@[a-z0-9-]+\/[a-z0-9-]+@\d+\.\d+\.\d+/);
    expect(date, line).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});

test("no address is labelled twice on one chain", () => {
  const keys = rows.map(({ chainId, address }) => `${chainId} ${address}`);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

test("addresses of EVM chains are written with their EIP-55 checksum", () => {
  const evm = rows.filter(({ family }) => family === "evm");
  expect(evm.filter(({ text, address }) => text !== toChecksumAddress(address))).toEqual([]);
});

test("no label is a lookalike of another, but for the pairs explained here", () => {
  const found: string[] = [];
  for (const family of families) {
    const addresses = [...new Set(rows.filter((row) => row.family === family).map(({ address }) => address))].sort();
    for (const [i, a] of addresses.entries()) {
      for (const b of addresses.slice(i + 1)) if (lookalike(family, a, b) !== undefined) found.push(`${a} ${b}`);
    }
  }
  expect(found.sort()).toEqual(knownLookalikes.map(({ pair }) => [...pair].sort().join(" ")).sort());
});

test("the best known tokens are there on each chain", () => {
  const symbolsOf = (chainId: string) => rows.filter((r) => r.chainId === chainId && r.kind === "token").map(nameOf);
  for (const chainId of ["1", "10", "56", "137", "42161", "43114", "solana", "tron"]) {
    expect(symbolsOf(chainId), chainId).toEqual(expect.arrayContaining(["USDT", "USDC"]));
  }
  expect(symbolsOf("8453")).toEqual(expect.arrayContaining(["USDC", "WETH"]));
});

function nameOf({ line }: Row): string {
  return line.split(",")[2] ?? "";
}
