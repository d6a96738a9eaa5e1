import { beforeAll, describe, expect, test } from "vitest";
import { LabelFiles } from "../../../../src/adapters/files/labels/label-files.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import type { AddressLabel } from "../../../../src/labels/label.ts";
import { gatherToken } from "../../../../src/service/address-poisoning/gather.ts";
import { judgeToken } from "../../../../src/service/address-poisoning/judge.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { tokenNameSkeleton } from "../../../../src/service/labels/token-name.ts";
import { bookOf, labelOf, listOf } from "../../../support/book-of.ts";

/**
 * Names of counterfeit contracts on Ethereum, by the symbol that they imitate. No table of homoglyphs produced them.
 */
const forged: Readonly<Record<string, readonly string[]>> = {
  USDT: [
    "$USDT",
    "USDT.",
    "USDT!",
    "(USDT)",
    "[USDT]",
    "U.S.D.T",
    "U S D T",
    "USD-T",
    "USD_T",
    "USDT \u2705",
    "\u{1f7e2}USDT",
    "USDT\u20dd", // combining enclosing circle
    "U\u0336S\u0336D\u0336T\u0336", // struck through
    "US\u0301DT",
    "\u00d9SDT",
    "\u016aSDT",
    "\u01afSDT", // horn
    "US\u018aT", // hook
    "USD\u1e6c",
    "\u202eTDSU", // drawn from right to left
    "\u2066USDT\u2069",
    "U5DT",
    "Tether-USD",
    "TetherUSD",
    "Teth3r USD",
    "T\u0435ther  USD",
  ],
  USDC: ["USD\u00c7", "USDC\u0307", "\u00d9SDC", "USDCoin", "USD\u0421oin", "usd-coin", "$usdc"],
  DAI: ["D4I", "D.A.I", "D\u00c4I", "$DAI", "DA\u0406\u200b."],
  WETH: ["W-ETH", "VVETH!", "W\u00cbTH", "W3TH"],
  PEPE: ["P3P3", "$PEPE", "P\u00c9P\u00c9", "P.E.P.E"],
  SHIB: ["5HIB", "$SHIB", "SH\u00cdB", "5H1B"],
};

/** Names of honest tokens that are close to a well-known name. No Ethereum list has these names. */
const honest = [
  ..."USDT.e USDT0 USD\u20ae0 USDC.e axlUSDC axlUSDT aUSDC cUSDC aEthUSDC vUSDT sDAI xDAI DAI+ USDC+ USDT+".split(" "),
  ..."USD0 USD0++ USD3 USD4 USDY USDM USDA WETH.e WBTC.e LBTC pumpBTC eETH stETH2 ETH+ UNI-V2 UNI-V3 stkAAVE".split(
    " ",
  ),
  ..."PEPE2.0 SHIBX BabyDoge weUSD \u03bcUSD \u0192USD \u20acURO EUR\u20ae USDC-LP BTC.b TRX3 C98 B3 H2O \u00c9clair Caf\u00e9".split(
    " ",
  ),
  "USD Coin (PoS)",
  "Bridged USDC",
  "USDT Wormhole",
  "Aave Ethereum USDC",
  "Lido DAO",
];

describe("names compared with the bundled tokens", () => {
  let book: LabelBook;
  let tokens: readonly AddressLabel[];
  beforeAll(async () => {
    const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
    book = LabelBook.of(lists);
    tokens = lists.flatMap(({ labels }) => [...labels].flatMap((label) => (label.kind === "token" ? [label] : [])));
  });
  const likeOn = (id: string, name: string) => {
    const chain = findChain(id);
    if (chain === undefined) throw new Error(`unknown chain ${id}`);
    return book.tokenNamedLike(chain, [name])?.name;
  };

  test.each(Object.entries(forged).flatMap(([symbol, names]) => names.map((name) => [name, symbol])))(
    "the name %j imitates %s",
    (name, symbol) => {
      expect(likeOn("1", name)).toBe(symbol);
    },
  );

  test("honest variants imitate nothing", () => {
    expect(honest.flatMap((name) => likeOn("1", name) ?? [])).toEqual([]);
  });

  test("among all token names, decoration makes five equal to a best-known token of Ethereum, and the five are its own spellings", () => {
    const names = new Set(tokens.flatMap(({ name, fullName = "" }) => [name, fullName]));
    const ofEthereum = tokens.filter(({ chain }) => chain.id === "1");
    const drawn = new Set(ofEthereum.flatMap(({ name, fullName = "" }) => [name, fullName].map(tokenNameSkeleton)));
    const found = [...names].filter((name) => !drawn.has(tokenNameSkeleton(name)) && likeOn("1", name) !== undefined);

    expect(names.size).toBeGreaterThan(15_000);
    expect(found.sort()).toEqual(["GRT_", "SAND_", "True USD", "USDCoin", "_WSTETH"]);
  });

  /** Counterfeits of names that tokens have beside their list's symbol, by chain. */
  test.each([
    [
      "56",
      ["BSC-USD", "bsc-usd", "BSCUSD", "BSC\u2010USD", "$BSC-USD", "B\u0405C-USD", "Binance-Peg BSC-USD"],
      "BSC-USD",
    ],
    ["56", ["Binance-Peg SHIBA INU Token", "Binance-Peg Dogecoin Token"], undefined],
    ...["10", "130", "137", "143", "196", "30", "42161", "4326", "5000", "57073", "80094", "9745", "999"].map(
      (chain) =>
        [
          chain,
          ["USDT0", "usdt0", "USD\u20ae0", "USD\u20aeO", "$USDT0", "U\u0405DT0", "USDT\uff10", "USD\u04220"],
          undefined,
        ] as const,
    ),
    ["137", ["USD Coin (PoS)"], undefined],
    ["42161", ["USD Coin (Arb1)"], undefined],
  ] as const)("on chain %s the names %j imitate a token by its other name", (chain, names, symbol) => {
    for (const name of names) {
      const like = likeOn(chain, name);
      expect(like, name).toBeDefined();
      if (symbol !== undefined) expect(like, name).toBe(symbol);
    }
  });

  test("no name of a labelled token is an imitation on its own chain, and at most 89 would be without their label", () => {
    let alike = 0;
    const seen = new Set<string>();
    for (const token of tokens) {
      for (const name of [token.name, token.fullName ?? ""]) {
        const key = `${token.chain.id} ${token.address} ${name}`;
        if (name === "" || seen.has(key)) continue;
        seen.add(key);
        const like = book.tokenNamedLike(token.chain, [name]);
        if (like !== undefined && like.address !== token.address) alike++;
        expect(judgeToken(gatherToken(token, book, [name])).isPoisoning, key).toBe(false);
      }
    }
    expect(alike).toBeLessThanOrEqual(89);
  });

  test("a plain copy of a renowned symbol is an imitation where a long list has exactly one original", () => {
    expect(likeOn("8453", "USDT")).toBe("USDT");
    expect(likeOn("8453", "usdt")).toBe("USDT");
    expect(likeOn("8453", "USDT.e")).toBeUndefined();
  });
});

describe("a renowned symbol", () => {
  const others = Array.from({ length: 128 }, (_, i) =>
    labelOf("8453", `0x${String(i).padStart(40, "0")}`, "token", `T${i}`),
  );
  const original = labelOf("8453", "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", "token", "USDT");
  const onChains = (count: number) =>
    ["1", "10", "56", "137", "42161", "43114", "250", "100", "324", "59144"]
      .slice(0, count)
      .map((id) => labelOf(id, "0xdac17f958d2ee523a2206206994597c13d831ec7", "token", "USDT"));
  const named = (book: LabelBook) => book.tokenNamedLike(original.chain, ["USDT"]);

  test("a symbol is renowned from ten chains with short lists on", () => {
    expect(named(LabelBook.of([listOf(onChains(10)), listOf([original, ...others])]))).toEqual(original);
    expect(named(LabelBook.of([listOf(onChains(9)), listOf([original, ...others])]))).toBeUndefined();
  });

  test("a renowned symbol is no imitation on a chain where a long list has several tokens of that name, which are bridged copies", () => {
    const copy = labelOf("8453", "0x1111111111111111111111111111111111111111", "token", "USDT");

    expect(named(LabelBook.of([listOf(onChains(10)), listOf([original, copy, ...others])]))).toBeUndefined();
  });

  test("a renowned symbol is no imitation on a chain without the original", () => {
    expect(named(bookOf(...onChains(10)))).toBeUndefined();
  });
});
