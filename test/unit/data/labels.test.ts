import { readFileSync } from "node:fs";
import path from "node:path";
import { type Address, getProgramDerivedAddress } from "@solana/kit";
import { expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { toChecksumAddress } from "../../../src/chains/evm/evm-address.ts";
import { lookalike } from "../../../src/chains/lookalike.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { bundled } from "../../../src/cli/program/package-root.ts";
import { LookalikeIndex } from "../../../src/service/lookalikes/lookalike-index.ts";

const columns = ["chain", "address", "name", "kind", "source", "date", "licence"];
const kinds = ["bridge", "protocol", "token"];
const licences = ["MIT", "ISC", "BSD-3-Clause", "Apache-2.0"];

interface Row {
  readonly list: string;
  readonly line: string;
  readonly chain: Chain;
  readonly text: string;
  readonly address: CanonicalAddress;
  readonly name: string;
  readonly kind: string;
}

/** The scripts that make the files refuse commas and quotes in a cell, so a plain split reads them. */
const lists = bundled.labels.map((file) => {
  const text = readFileSync(file, "utf8").trimEnd().split("\n");
  const [header = "", ...lines] = text.filter((line) => !line.startsWith("#"));
  return { list: path.basename(file), header, lines };
});

const rows = lists.flatMap(({ list, lines }) =>
  lines.map((line): Row => {
    const [chainId = "", text = "", name = "", kind = ""] = line.split(",");
    const chain = findChain(chainId);
    if (chain === undefined || chain.id !== chainId) throw new Error(`not a canonical chain id: ${line}`);
    const address = parseAddress(chain.family, text);
    if (!address.ok) throw new Error(`${address.detail}: ${line}`);
    return { list, line, chain, text, address: address.value, name, kind };
  }),
);

test("the files have the columns of label files, and take less than 3 MB", () => {
  expect(lists.map(({ list, header }) => [list, header])).toEqual([
    ["labels.csv", [...columns, "full_name"].join(",")],
    ["exchanges.csv", "chain,address,name,kind,source,second_source,date"],
    ["tron-services.csv", "chain,address,name,kind,source,second_source,date"],
    ["services.csv", "chain,address,name,kind,source,second_source,date"],
    ["solana-services.csv", "chain,address,name,kind,source,second_source,date,full_name"],
    ["clear-signing.csv", columns.join(",")],
    ["delegates.csv", "chain,address,name,kind,source,second_source,date"],
    ["known-well.csv", [...columns, "full_name"].join(",")],
    ["known-others.csv", [...columns, "full_name"].join(",")],
    ["clear-signing-others.csv", columns.join(",")],
    ["token-names.csv", "chain,address,name,kind,source,second_source,date,full_name"],
  ]);
  for (const { header, lines } of lists) {
    const cells = header.split(",").length;
    expect(lines.filter((line) => line.split(",").length !== cells)).toEqual([]);
  }
  const bytes = bundled.labels.map((file) => readFileSync(file).length);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3 * 1024 * 1024);
});

test("the most widely held TRON tokens are listed, each under one contract, except for the old and the new USDD", () => {
  const symbols = rows.filter(({ chain, kind }) => chain.id === "tron" && kind === "token").map(({ name }) => name);

  expect(symbols.filter((symbol, i) => symbols.indexOf(symbol) !== i)).toEqual(["USDD"]);
  expect(symbols).toEqual(
    expect.arrayContaining("USDT USDC USDD USD1 TUSD BTT JST SUN WIN NFT HTX WBTC WETH BTC WTRX".split(" ")),
  );
});

/** Lists that are maintained by hand. */
const byHand = [
  "exchanges.csv",
  "services.csv",
  "solana-services.csv",
  "tron-services.csv",
  "delegates.csv",
  "token-names.csv",
];
/** Lists that are made of the public registry of clear-signing descriptors. */
const described = ["clear-signing.csv", "clear-signing-others.csv"];
const ofPackages = rows.filter(({ list }) => !byHand.includes(list) && !described.includes(list));

test("every row of a package has an allowed kind and licence, a name, a pinned source and a date", () => {
  const wrong = ofPackages.filter(({ line }) => {
    const [, , name = "", kind = "", source = "", date = "", licence = ""] = line.split(",");
    const isSourced = /^(@[a-z0-9.-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+/.test(source) && /^20\d\d-\d\d-\d\d$/.test(date);
    return !(kinds.includes(kind) && licences.includes(licence) && /\S/.test(name) && isSourced);
  });
  expect(wrong).toEqual([]);
});

test("every exchange wallet has a name, two different pages and a date", () => {
  const wallets = rows.filter(({ list }) => list === "exchanges.csv");
  const wrong = wallets.filter(({ line }) => {
    const [, , name = "", kind, source = "", second = "", date = ""] = line.split(",");
    const [first, other] = [source, second].map((page) => /^github\.com\/([^/]+\/[^ ]+) \S/.exec(page)?.[1]);
    const isSourced = first !== undefined && other !== undefined && first !== other;
    return !(kind === "exchange" && /\S/.test(name) && isSourced && /^20\d\d-\d\d-\d\d$/.test(date));
  });
  expect(wrong).toEqual([]);
  expect(wallets.length).toBe(80);
});

test("every TRON service has a name, a kind, pages of two different owners and a date", () => {
  const services = rows.filter(({ list }) => list === "tron-services.csv");
  const wrong = services.filter(({ chain, line }) => {
    const [, , name = "", kind = "", source = "", second = "", date = ""] = line.split(",");
    const [first, other] = [source, second].map(
      (page) => /^github\.com\/([^/]+)\/[^ ]+ \S+ [0-9a-f]{9}$/.exec(page)?.[1],
    );
    const isSourced = first !== undefined && other !== undefined && first !== other;
    const isOfKind = kind === "protocol" || kind === "bridge";
    return !(chain.id === "tron" && isOfKind && /\S/.test(name) && isSourced && /^20\d\d-\d\d-\d\d$/.test(date));
  });
  expect(wrong).toEqual([]);
  expect(services.length).toBe(29);
});

/** A package with its version, or a file of a public repository, perhaps with the commit that was read. */
const PINNED = /^(?:@[a-z0-9.-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+$|^github\.com\/[^/ ]+\/[^/ ]+ \S+( [0-9a-f]{9})?$/;
/** A page of a project's documentation. */
const PAGE = /^[a-z0-9.-]+\.[a-z]+\/\S+$/;

test("every service and every delegate has a pinned source or two different pages, a name and a date", () => {
  const found = rows.filter(({ list }) => list === "services.csv" || list === "delegates.csv");
  const wrong = found.filter(({ list, line }) => {
    const [, , name = "", kind = "", source = "", second = "", date = ""] = line.split(",");
    const allowed = list === "services.csv" ? ["protocol", "bridge"] : ["delegate"];
    const isSourced = second === "" ? PINNED.test(source) : isPage(source) && isPage(second) && source !== second;
    return !(allowed.includes(kind) && /\S/.test(name) && isSourced && /^20\d\d-\d\d-\d\d$/.test(date));
  });
  expect(wrong.map(({ line }) => line)).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(190);
});

function isPage(source: string): boolean {
  return PINNED.test(source) || PAGE.test(source);
}

test("every contract of a clear-signing descriptor names its descriptor, and is free to use", () => {
  const found = rows.filter(({ list }) => described.includes(list));
  const wrong = found.filter(({ line }) => {
    const [, , name = "", kind = "", source = "", date = "", licence = ""] = line.split(",");
    const isSourced = /^clear-signing registry\/\S+\.json$/.test(source) && /^20\d\d-\d\d-\d\d$/.test(date);
    return !(kind === "protocol" && /\S/.test(name) && isSourced && licence === "CC0");
  });
  expect(wrong.map(({ line }) => line)).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(600);
});

test("every service of Solana that is kept by hand has a name, two different pages and a date", () => {
  const services = rows.filter(({ list }) => list === "solana-services.csv");
  const isPage = (page: string) =>
    /^((@[a-z0-9.-]+\/)?[a-z0-9-]+@\d+\.\d+\.\d+|github\.com\/\S+\/\S+|(docs|developers)\.\S+\.com) \S/.test(page);
  const wrong = services.filter(({ line }) => {
    const [chain, , name = "", kind = "", source = "", second = "", date = ""] = line.split(",");
    const isSourced = (isPage(source) || source.startsWith("derived from ")) && isPage(second) && source !== second;
    return !(chain === "solana" && kinds.includes(kind) && /\S/.test(name) && isSourced && /^20\d\d-/.test(date));
  });
  expect(wrong).toEqual([]);
  expect(services.length).toBe(10);
});

test("the escrow of Magic Eden is the address that its program alone can sign for", async () => {
  const [program, escrow] = ["Magic Eden v2", "Magic Eden v2 escrow"].map((name) =>
    rows.find((row) => row.name === name),
  );
  const [derived] = await getProgramDerivedAddress({
    programAddress: (program?.text ?? "") as Address,
    seeds: ["m2", "signer"],
  });

  expect(escrow?.text).toBe(derived);
});

test("every further name of a token has a pinned package or two different pages, a date, and a new spelling", () => {
  const names = rows.filter(({ list }) => list === "token-names.csv");
  const others = rows.filter(({ list }) => list !== "token-names.csv");
  const wrong = names.filter(({ chain, address, line }) => {
    const [, , name = "", kind, source = "", second = "", date = "", fullName = ""] = line.split(",");
    const [first, other] = [source, second].map((page) => /^github\.com\/([^/]+\/[^ ]+) \S/.exec(page)?.[1]);
    const isOfPackage = /^@[a-z0-9.-]+\/[a-z0-9-]+@\d+\.\d+\.\d+( \S+)?$/.test(source);
    const isSourced = isOfPackage || (first !== undefined && other !== undefined && first !== other);
    const isKnown = others.some((row) => {
      if (row.chain !== chain || row.address !== address) return false;
      const known = row.line.split(",");
      return known[2] === name && (known[7] ?? "") === fullName && row.list === "labels.csv";
    });
    return !(kind === "token" && /\S/.test(name) && isSourced && !isKnown && /^20\d\d-\d\d-\d\d$/.test(date));
  });
  expect(wrong).toEqual([]);
  expect(names.length).toBe(23);
});

test("the files list bridges and protocols of many chains, and thousands of tokens", () => {
  const contracts = ofPackages.filter(({ kind }) => kind !== "token");
  expect(contracts.length).toBeGreaterThanOrEqual(4_000);
  expect(new Set(contracts.map(({ chain }) => chain.id)).size).toBeGreaterThanOrEqual(100);
  expect(ofPackages.length - contracts.length).toBeGreaterThanOrEqual(13_000);
});

test.each([
  ["Permit2", "0x000000000022D473030F116dDEE9F6B43aC78BA3"],
  ["ERC-4337 entry point v0.6", "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"],
  ["ERC-4337 entry point v0.7", "0x0000000071727De22E5E9d8BAf0edAc6f37da032"],
  ["ERC-4337 entry point v0.8", "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"],
])("%s is a known protocol at %s on the seven best known chains", (name, text) => {
  const found = rows.filter((row) => row.name === name);

  expect(found.map(({ chain }) => chain.id).sort()).toEqual(["1", "10", "137", "42161", "43114", "56", "8453"]);
  expect(new Set(found.map((row) => `${row.list} ${row.kind} ${row.text}`))).toEqual(
    new Set([`labels.csv protocol ${text}`]),
  );
});

test("no address is labelled twice on one chain, except for a vault that is a token, and for further names", () => {
  const keysOf = (some: readonly Row[]) => some.map(({ chain, address }) => `${chain.id} ${address}`);
  const names = keysOf(rows.filter(({ list }) => list === "token-names.csv"));
  expect(new Set(names).size).toBe(names.length);
  const others = rows.filter(({ list }) => list !== "token-names.csv");
  for (const group of [others.filter(({ kind }) => kind === "token"), others.filter(({ kind }) => kind !== "token")]) {
    const keys = keysOf(group);
    const seen = new Set<string>();
    expect(keys.filter((key) => seen.size === seen.add(key).size)).toEqual([]);
  }
});

test("addresses of EVM chains are written with their EIP-55 checksum", () => {
  const evm = rows.filter(({ chain }) => chain.family === "evm");
  expect(evm.filter(({ text, address }) => text !== toChecksumAddress(address))).toEqual([]);
});

/** Most entries of each list for its threshold of decision 0004: 28, 32 and 36 bits on EVM. */
test.each([
  ["labels.csv", 128],
  ["exchanges.csv", 128],
  ["tron-services.csv", 128],
  ["services.csv", 128],
  ["clear-signing.csv", 128],
  ["delegates.csv", 128],
  ["solana-services.csv", 128],
  ["known-well.csv", 2_048],
  ["known-others.csv", 32_768],
  ["clear-signing-others.csv", 2_048],
  ["token-names.csv", 128],
])("in %s no group that is compared together has more than %i addresses", (list, most) => {
  const scopeOf = ({ kind, chain }: Row) => `${kind} ${kind === "token" ? chain.id : chain.family}`;
  const groups = Map.groupBy(
    rows.filter((row) => row.list === list),
    scopeOf,
  );
  const sizes = [...groups].map(([scope, group]) => [scope, new Set(group.map(({ address }) => address)).size]);
  expect(sizes.filter(([, size]) => Number(size) > most)).toEqual([]);
});

/** Labels that resemble each other, each pair with the reason for keeping both. */
const knownLookalikes: readonly { readonly names: readonly [string, string]; readonly why: string }[] = [
  { names: ["UNI", "Uniswap multicall"], why: "Uniswap ground its contracts to begin with 1f98 and end with f984" },
  { names: ["UNI", "Uniswap v3 core factory"], why: "as above" },
  { names: ["Uniswap multicall", "Uniswap v3 core factory"], why: "as above" },
  {
    names: ["beefyfinance beefy swapper", "beefyfinance circle beefy receiver"],
    why: "Beefy's begin with 0000, end with beef",
  },
  {
    names: ["Circle CCTP v2 message transmitter", "Circle CCTP v2 token messenger"],
    why: "Circle ground both programs to begin with CCTPV2",
  },
  { names: ["GFX", "WABBIT"], why: "both were ground to begin and to end with sevens" },
  { names: ["SHADOW", "x33"], why: "both were ground to begin and to end with threes, by one project" },
  { names: ["ORA", "SHADOW"], why: "both were ground to begin and to end with threes" },
  { names: ["ORA", "x33"], why: "as above" },
  { names: ["ARMOR", "ARNXM"], why: "both were ground to begin with 1337DEF1, by one project" },
  { names: ["CDX", "CDXUSD"], why: "both were ground to begin with C0D3700000, by one project" },
  {
    names: ["steakhouse financial steakUSDC", "steakhouse financial steakUSDM"],
    why: "both were ground to begin with beef, by one project",
  },
  { names: ["csUSDL", "steakhouse financial csUSDL"], why: "as above: one on Ethereum, one on Base" },
  {
    names: ["1inch Network AggregationRouterV3", "1inch Network AggregationRouterV6"],
    why: "1inch ground its routers to begin with ones",
  },
];

test("no label is a lookalike of another, except for the explained pairs", () => {
  const found = new Set<string>();
  for (const [family, group] of Map.groupBy(rows, ({ chain }) => chain.family)) {
    const distinct = [...new Map(group.map((row) => [row.address, row])).values()];
    const index = LookalikeIndex.of(
      family,
      distinct.map(({ address }) => address),
    );
    for (const a of distinct.filter(({ address }) => index.hasLookalike(address))) {
      for (const b of distinct) {
        if (lookalike(family, a.address, b.address) !== undefined) found.add([a.name, b.name].sort().join(" | "));
      }
    }
  }
  expect([...found].sort()).toEqual(knownLookalikes.map(({ names }) => [...names].sort().join(" | ")).sort());
});

test("the best known tokens are listed on each chain", () => {
  const symbolsOf = (id: string) =>
    rows.filter(({ chain, kind }) => chain.id === id && kind === "token").map(({ name }) => name);
  for (const id of ["1", "10", "56", "137", "42161", "43114", "solana", "tron"]) {
    expect(symbolsOf(id), id).toEqual(expect.arrayContaining(["USDT", "USDC"]));
  }
  expect(symbolsOf("8453")).toEqual(expect.arrayContaining(["USDC", "WETH"]));
  for (const id of ["1", "10", "56", "137", "250", "8453", "42161", "43114", "solana"]) {
    expect(symbolsOf(id).length, id).toBeGreaterThanOrEqual(300);
  }
});
