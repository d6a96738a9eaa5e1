import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CONFUSABLES_UNICODE_VERSION } from "../../../../src/service/labels/confusables.generated.ts";
import { tokenNameSkeleton } from "../../../../src/service/labels/token-name.ts";

/** Spellings that a reader takes for the symbol. Letters that look alike are written as escapes. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  USDT: [
    "usdt",
    "Usdt",
    "USD\u0422", // Cyrillic Te
    "USD\u0442", // Cyrillic small te
    "U\u0405DT", // Cyrillic Dze
    "U\u0455dt", // Cyrillic small dze
    "USD\u03a4", // Greek Tau
    "USD\u03c4", // Greek small tau
    "\u054dSDT", // Armenian Seh
    "U\u054fDT", // Armenian Tiwn
    "US\u13a0T", // Cherokee A
    "USD\u13a2", // Cherokee I
    "U\u13daDT", // Cherokee Du
    "\uff35\uff33\uff24\uff34", // fullwidth
    "\u{1d414}\u{1d412}\u{1d403}\u{1d413}", // mathematical bold
    "\u{1d684}\u{1d682}\u{1d673}\u{1d683}", // mathematical monospace
    "\u24ca\u24c8\u24b9\u24c9", // circled
    "U\u200bSDT", // zero-width space
    "US\u200d\u200cDT", // zero-width joiner and non-joiner
    "\ufeffUSDT", // byte order mark
    "USDT\u200e", // left-to-right mark
    "\u202dUSDT\u202c", // bidi override
    "US\u00adDT", // soft hyphen
    "USDT\ufe0f", // variation selector
    "USD\u20ae", // tugrik sign, as Tether writes it
    "\u1d1c\ua731\u1d05\u1d1b", // small capitals
    "  USDT",
    "USDT\n",
    "\u00a0USDT\u2003", // no-break space, em space
    "\u2028USDT\u3000", // line separator, ideographic space
    "\u200b USDT \u200b", // spaces behind zero-width ones
    "\u2800USDT", // empty Braille pattern
  ],
  USDC: [
    "usdc",
    "USD\u0421", // Cyrillic Es
    "USD\u0441", // Cyrillic small es
    "USD\u03f9", // Greek lunate sigma
    "USD\u216d", // Roman numeral hundred
    "USD\u13df", // Cherokee Tli
    "\u{1d5e8}\u{1d5e6}\u{1d5d7}\u{1d5d6}", // mathematical sans-serif bold
    "U\u2060SDC", // word joiner
  ],
  WBTC: [
    "wBTC",
    "W\u0412TC", // Cyrillic Ve
    "W\u0392TC", // Greek Beta
    "\u13b3BTC", // Cherokee La
    "W\u13f4TC", // Cherokee Yv
    "\u051cBTC", // Cyrillic We
    "WB\u0422\u0421", // Cyrillic Te and Es
    "\u{1d54e}\u{1d539}\u{1d54b}\u2102", // double-struck
    "VVBTC",
    "vvBTC",
    "\u2164\u2164BTC", // Roman numeral five, twice
    "\u0474\u0474BTC", // Cyrillic Izhitsa, twice
  ],
  "Wrapped Ether": [
    "wrapped ether",
    "VVrapped Ether",
    "Wrapped  Ether",
    " Wrapped\u00a0Ether ",
    "Wrapped\tEther",
    "Wrapped \u200b Ether",
    "Wra\u0440\u0440ed Ether", // Cyrillic small er
  ],
  MANA: [
    "mana",
    "rnana",
    "RNANA",
    "\u217fana", // Roman numeral thousand, small
  ],
  DAI: [
    "dai",
    "Dai",
    "D\u0410I", // Cyrillic A
    "D\u0391I", // Greek Alpha
    "DA\u0406", // Cyrillic byelorussian-ukrainian I
    "DA\u0399", // Greek Iota
    "DAl", // Latin small l
    "DA1",
    "DA|",
    "D\u13aaI", // Cherokee Go
    "\u216e\uff21\uff29", // Roman numeral five hundred, fullwidth
  ],
  PEPE: [
    "pepe",
    "\u0420EPE", // Cyrillic Er
    "P\u0415P\u0415", // Cyrillic Ie
    "\u03a1\u0395\u03a1\u0395", // Greek Rho and Epsilon
    "\u0440\u0435\u0440\u0435", // Cyrillic small er and ie
    "\u13e2\u13ac\u13e2\u13ac", // Cherokee
    "\u{1d4df}\u{1d4d4}\u{1d4df}\u{1d4d4}", // mathematical bold script
    "P\u034fEPE", // combining grapheme joiner
  ],
};

const cases = Object.entries(spellings).flatMap(([symbol, variants]) =>
  variants.map((variant) => ({ symbol, variant })),
);

test("there are at least 40 spellings to try", () => {
  expect(cases.length).toBeGreaterThanOrEqual(40);
});

test.each(cases)("$variant reads like $symbol", ({ symbol, variant }) => {
  expect(tokenNameSkeleton(variant)).toBe(tokenNameSkeleton(symbol));
});

/**
 * Pairs of different symbols that a reader cannot tell apart, by this project's rules. The labelled tokens have no such
 * pair today.
 */
const trueImitations: readonly string[] = [];

test("labelled tokens with different symbols do not read alike", () => {
  const csv = readFileSync(new URL("../../../../data/labels.csv", import.meta.url), "utf8");
  const tokens = csv
    .split("\n")
    .map((line) => line.split(","))
    .filter((cells) => cells[3] === "token");
  const symbols = [...new Set(tokens.map((cells) => (cells[2] ?? "").toUpperCase()))].sort();
  const alike = symbols.flatMap((a, i) =>
    symbols
      .slice(i + 1)
      .filter((b) => tokenNameSkeleton(a) === tokenNameSkeleton(b))
      .map((b) => `${a} ${b}`),
  );

  expect(symbols.length).toBeGreaterThanOrEqual(100);
  expect(alike).toEqual(trueImitations);
});

test("other letters, digits, diacritics and spaces stay different", () => {
  const others = ["USDD", "USDC", "UST", "USDT0", "USD T", "U5DT", "USD\u1e6c", "TUSD", "\u00dcSDT"];
  expect(others.filter((name) => tokenNameSkeleton(name) === tokenNameSkeleton("USDT"))).toEqual([]);
});

test.each([
  ["USDT", "usdt"],
  ["VVETH", "vveth"],
  ["WETH", "vveth"],
  ["mUSD", "rnusd"],
  ["rnUSD", "rnusd"],
  ["\u200b  Wrapped \u00a0 Ether\n", "vvrapped ether"],
  [" \u2800\t", ""],
  ["\u200b\u2060", ""],
  ["\u00ad", ""],
  ["", ""],
])("the skeleton of %j is %j", (name, skeleton) => {
  expect(tokenNameSkeleton(name)).toBe(skeleton);
});

test("names that are confusable by UTS #39 have one skeleton: rn and m, O and 0, I and l and 1", () => {
  expect(tokenNameSkeleton("rn")).toBe(tokenNameSkeleton("M"));
  expect(tokenNameSkeleton("0")).toBe(tokenNameSkeleton("O"));
  expect(new Set(["I", "i", "l", "L", "1", "|"].map(tokenNameSkeleton)).size).toBe(1);
});

test("the case of ASCII letters never matters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
      expect(tokenNameSkeleton(text.toUpperCase())).toBe(tokenNameSkeleton(text.toLowerCase()));
    }),
  );
});

test("a skeleton is its own skeleton for any text, and no text throws", () => {
  const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), loneSurrogates());
  fc.assert(
    fc.property(anyText, (text) => {
      const skeleton = tokenNameSkeleton(text);
      expect(tokenNameSkeleton(skeleton)).toBe(skeleton);
    }),
    { numRuns: 1000 },
  );
});

test("invisible characters can be anywhere in a name without changing its skeleton", () => {
  const invisible = fc.constantFrom(
    "\u200b",
    "\u200d",
    "\u2060",
    "\u202e",
    "\u2066",
    "\u00ad",
    "\ufe0f",
    "\u{e0041}",
    "\u0007",
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(spellings)), invisible, fc.nat(4), (symbol, character, at) => {
      const hidden = symbol.slice(0, at) + character + symbol.slice(at);
      expect(tokenNameSkeleton(hidden)).toBe(tokenNameSkeleton(symbol));
    }),
  );
});

test("the table names its Unicode release", () => {
  expect(CONFUSABLES_UNICODE_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
});

function loneSurrogates(): fc.Arbitrary<string> {
  return fc.array(fc.integer({ min: 0xd700, max: 0xe0ff })).map((units) => String.fromCharCode(...units));
}
