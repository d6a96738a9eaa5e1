import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import { type AddressFormat, formatOf, type Shape } from "../../../src/chains/address-format.ts";
import type { Family } from "../../../src/chains/chain.ts";
import { FEWEST_EQUAL, lookalike, overlap } from "../../../src/chains/lookalike.ts";

function canonical(family: Family, text: string): CanonicalAddress {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

/** A text with the given ends of an address. Its checksum is wrong, because a checksum does not allow chosen ends. */
function shaped(start: string, length: number, filler: string, end: string): CanonicalAddress {
  return (start + filler.repeat(length - start.length - end.length) + end) as CanonicalAddress;
}

test("the address in the theft of 1,155 WBTC of May 2024 is a lookalike", () => {
  const a = canonical("evm", "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91");
  const b = canonical("evm", "0xd9A1C3788D81257612E2581A6ea0aDa244853a91");

  expect(lookalike("evm", a, b)).toEqual({ prefix: 4, suffix: 6, bits: 40 });
});

test("the address in the theft of 7M PYTH of November 2024 is a lookalike", () => {
  const a = canonical("solana", "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY");
  const b = canonical("solana", "4yfuQCL4fnNfSbBgqFcPTFn5GGZABDaEFQLhGpwjizcY");

  expect(lookalike("solana", a, b)).toEqual({ prefix: 4, suffix: 1, bits: expect.closeTo(27.59, 2) });
});

test("an address is no lookalike of itself", () => {
  const a = canonical("evm", "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91");

  expect(lookalike("evm", a, a)).toBeUndefined();
  expect(overlap("evm", a, a)).toEqual({ prefix: 40, suffix: 0, bits: 160 });
});

const bc1q = { start: "bc1q", length: 42 };
const bc1p = { start: "bc1p", length: 62 };

/** Family, an address, and the shared characters after the constant prefix and at the end. */
test.each([
  ["evm", "0x", 42, 3, 4, true],
  ["evm", "0x", 42, 2, 4, false],
  ["evm", "0x", 42, 3, 3, false],
  ["evm", "0x", 42, 0, 8, true],
  ["evm", "0x", 42, 0, 7, false],
  ["evm", "0x", 42, 1, 7, true],
  ["evm", "0x", 42, 1, 6, false],
  ["evm", "0x", 42, 2, 6, true],
  ["evm", "0x", 42, 2, 5, false],
  ["evm", "0x", 42, 4, 3, false],
  ["evm", "0x", 42, 5, 3, true],
  ["evm", "0x", 42, 6, 2, true],
  ["evm", "0x", 42, 7, 1, true],
  ["evm", "0x", 42, 8, 0, true],
  ["evm", "0x", 42, 7, 0, false],
  ["evm", "0x", 42, 10, 3, true],
  ["evm", "0x", 42, 2, 30, true],
  ["evm", "0x", 42, 39, 0, true],
  ["evm", "0x", 42, 0, 39, true],
  ["tron", "T", 34, 0, 5, true],
  ["tron", "T", 34, 1, 4, true],
  ["tron", "T", 34, 0, 4, false],
  ["tron", "T", 34, 3, 3, true],
  ["tron", "T", 34, 2, 3, false],
  ["tron", "T", 34, 2, 2, false],
  ["tron", "T", 34, 3, 2, false],
  ["tron", "T", 34, 4, 1, false],
  ["tron", "T", 34, 4, 2, true],
  ["tron", "T", 34, 5, 0, false],
  ["tron", "T", 34, 5, 1, true],
  ["tron", "T", 34, 6, 0, true],
  ["tron", "T", 34, 20, 2, true],
  ["solana", "", 44, 4, 1, true],
  ["solana", "", 44, 0, 5, true],
  ["solana", "", 44, 3, 2, false],
  ["solana", "", 44, 2, 3, false],
  ["solana", "", 44, 3, 3, true],
  ["solana", "", 44, 2, 4, true],
  ["solana", "", 44, 1, 4, false],
  ["solana", "", 44, 5, 0, false],
  ["solana", "", 44, 6, 0, true],
  ["solana", "", 44, 20, 0, true],
  ["bitcoin", "1", 34, 0, 5, true],
  ["bitcoin", "1", 34, 1, 4, true],
  ["bitcoin", "3", 34, 0, 5, true],
  ["bitcoin", "3", 34, 0, 4, false],
  ["bitcoin", "1", 34, 3, 3, true],
  ["bitcoin", "3", 34, 3, 3, true],
  ["bitcoin", "3", 34, 2, 3, false],
  ["bitcoin", "1", 34, 4, 2, true],
  ["bitcoin", "3", 34, 5, 1, true],
  ["bitcoin", "1", 34, 6, 0, true],
  ["bitcoin", "3", 34, 5, 0, false],
  ["bitcoin", "3", 34, 20, 2, true],
  ["bitcoin", bc1q.start, bc1q.length, 0, 6, true],
  ["bitcoin", bc1q.start, bc1q.length, 2, 4, true],
  ["bitcoin", bc1q.start, bc1q.length, 3, 3, true],
  ["bitcoin", bc1q.start, bc1q.length, 4, 2, true],
  ["bitcoin", bc1q.start, bc1q.length, 1, 5, true],
  ["bitcoin", bc1q.start, bc1q.length, 5, 1, true],
  ["bitcoin", bc1q.start, bc1q.length, 6, 0, true],
  ["bitcoin", bc1q.start, bc1q.length, 0, 5, false],
  ["bitcoin", bc1q.start, bc1q.length, 1, 4, false],
  ["bitcoin", bc1q.start, bc1q.length, 2, 3, false],
  ["bitcoin", bc1q.start, bc1q.length, 3, 2, false],
  ["bitcoin", bc1q.start, bc1q.length, 4, 1, false],
  ["bitcoin", bc1q.start, bc1q.length, 5, 0, false],
  ["bitcoin", bc1q.start, 62, 6, 0, true],
  ["bitcoin", bc1q.start, 62, 5, 0, false],
  ["bitcoin", bc1p.start, bc1p.length, 3, 3, true],
  ["bitcoin", bc1p.start, bc1p.length, 0, 5, false],
] as const)(
  "%s %s of %i characters, %i and %i of them shared: lookalike %s",
  (family, start, length, p, s, expected) => {
    const head = start + "45".repeat(p).slice(0, p);
    const tail = "54".repeat(s).slice(s);
    const a = shaped(head, length, "2", tail);
    const b = shaped(head, length, "3", tail);

    expect(overlap(family, a, b)).toMatchObject({ prefix: p, suffix: s });
    expect(lookalike(family, a, b)).toEqual(expected ? overlap(family, a, b) : undefined);
    expect(lookalike(family, b, a)).toEqual(lookalike(family, a, b));
  },
);

test("Bitcoin addresses of different kinds are never lookalikes", () => {
  const ends = [shaped("1", 34, "4", ""), shaped("3", 34, "4", ""), shaped("bc1q", 42, "4", "")];
  const kinds = [...ends, shaped("bc1p", 62, "4", "")];

  for (const a of kinds) {
    for (const b of kinds.filter((kind) => kind !== a)) {
      expect(lookalike("bitcoin", a, b)).toBeUndefined();
      expect(overlap("bitcoin", a, b)).toEqual({ prefix: 0, suffix: 0, bits: 0 });
    }
  }
});

test("Bitcoin addresses of one kind may differ in length", () => {
  const keyHash = shaped("bc1q444", 42, "2", "444");
  const scriptHash = shaped("bc1q444", 62, "3", "444");

  expect(lookalike("bitcoin", keyHash, scriptHash)).toEqual({ prefix: 3, suffix: 3, bits: 30 });
});

test("of a run of one character at an end, four characters count for the shape of eight, because contracts are ground for zeros", () => {
  const [permit2, entryPoint, other] = [
    canonical("evm", "0x000000000022D473030F116dDEE9F6B43aC78BA3"),
    canonical("evm", "0x0000000071727De22E5E9d8BAf0edAc6f37da032"),
    canonical("evm", "0x000000000022d473530f116ddee9f6b43ac78aaa"),
  ];

  expect(lookalike("evm", permit2, entryPoint)).toBeUndefined();
  expect(lookalike("evm", permit2, other)).toMatchObject({ prefix: 16, suffix: 0 });
  expect(lookalike("evm", shaped("0x", 42, "2", "77777777"), shaped("0x", 42, "3", "77777777"))).toBeUndefined();
  expect(lookalike("evm", shaped("0x777", 42, "2", "7777"), shaped("0x777", 42, "3", "7777"))).toMatchObject({
    prefix: 3,
    suffix: 4,
  });
});

describe("addresses that differ in a few characters", () => {
  /** The address with `count` changed characters, the outermost at both ends included. */
  const changed = (address: CanonicalAddress, start: number, count: number, by: string) => {
    const last = address.length - 1;
    const places = Array.from({ length: count }, (_, i) => start + Math.round(((last - start) * i) / (count - 1)));
    return [...address].map((own, i) => (places.includes(i) ? by : own)).join("") as CanonicalAddress;
  };
  const evm = canonical("evm", "0x52908400098527886e0f7030069857d2e4169ee7");
  const solana = canonical("solana", "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY");

  test.each([
    ["evm", evm, 2, 2, "b", true],
    ["evm", evm, 2, 3, "b", true],
    ["evm", evm, 2, 4, "b", true],
    ["evm", evm, 2, 5, "b", false],
    ["solana", solana, 0, 2, "9", true],
    ["solana", solana, 0, 4, "9", true],
    ["solana", solana, 0, 5, "9", false],
  ] as const)("%s %s from %i, %i changed: lookalike %s", (family, a, start, count, by, expected) => {
    const b = changed(a, start, count, by);

    expect(lookalike(family, a, b) !== undefined).toBe(expected);
    expect(lookalike(family, b, a)).toEqual(lookalike(family, a, b));
    if (expected) expect(lookalike(family, a, b)?.bits).toBeGreaterThan(100);
  });
});

test("two account numbers are neighbours, and a ground address still imitates an account number", () => {
  const usdc = canonical("evm", "0x000000000000000000000000000000000006f89a");
  const account = canonical("evm", "0x000000000000000000000000000000000016f89a");
  const searched = canonical("evm", "0x000a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d46f89a");

  expect(lookalike("evm", usdc, account)).toBeUndefined();
  expect(lookalike("evm", usdc, searched)).toMatchObject({ prefix: 3, suffix: 5 });
});

test("case counts in base58", () => {
  const a = shaped("T", 34, "2", "abcde");
  const b = shaped("T", 34, "3", "abcdE");

  expect(lookalike("tron", a, b)).toBeUndefined();
});

test("the suffix stops at the prefix", () => {
  const long = shaped("", 44, "2", "");
  const short = shaped("", 43, "2", "");

  expect(overlap("solana", long, short)).toMatchObject({ prefix: 43, suffix: 0 });
  expect(lookalike("solana", long, short)).toMatchObject({ prefix: 43, suffix: 0 });
});

/**
 * The chance that two random addresses agree in a character near the front. It is computed from the exact range of the
 * numbers that the text spells in base 58. The character is `skip` positions after the first, over all lengths of the
 * text.
 */
function agreement(low: bigint, high: bigint, skip: number): number {
  const weightByDigit = new Map<bigint, bigint>();
  for (let length = 1n + BigInt(skip); length <= 44n; length++) {
    const step = 58n ** (length - 1n - BigInt(skip));
    const from = 58n ** (length - 1n);
    for (let start = from; start < from * 58n; start += step) {
      const below = start + step < high ? start + step : high;
      const above = start > low ? start : low;
      const digit = (start / step) % 58n;
      if (below > above) weightByDigit.set(digit, (weightByDigit.get(digit) ?? 0n) + below - above);
    }
  }
  return [...weightByDigit.values()].reduce((sum, weight) => sum + (Number(weight) / Number(high - low)) ** 2, 0);
}

const hash = 2n ** 192n;

test.each([
  ["tron", "T", agreement(0x41n * hash, 0x42n * hash, 1)],
  ["bitcoin", "1", agreement(0n, hash, 0)],
  ["bitcoin", "3", agreement(5n * hash, 6n * hash, 1)],
  ["solana", "", agreement(0n, 2n ** 256n, 0)],
] as const)(
  "in %s addresses from %j the first character carries the information of its distribution",
  (family, start, chance) => {
    const { firstCharacterBits } = formatOf(family, shaped(start, 34, "4", ""));

    expect(firstCharacterBits).toBeCloseTo(-Math.log2(chance), 1);
    expect(firstCharacterBits).toBeLessThan(-Math.log2(chance) + 0.01);
  },
);

function accidentalMatch({ bitsPerCharacter, firstCharacterBits }: AddressFormat, shapes: readonly Shape[]): number {
  const bits = shapes.map(({ prefix, suffix }) =>
    prefix === 0 ? suffix * bitsPerCharacter : firstCharacterBits + (prefix - 1 + suffix) * bitsPerCharacter,
  );
  return bits.reduce((sum, each) => sum + 2 ** -each, 0);
}

/** An upper bound: in 40 characters, the fewest that are compared like this, all but a few agree by accident. */
function fewDiffer({ mostDiffering, bitsPerCharacter }: AddressFormat): number {
  return mostDiffering === 0 ? 0 : 2 ** (mostDiffering * Math.log2(40) - (40 - mostDiffering) * bitsPerCharacter);
}

test.each([
  ["evm", "0x", 27.48],
  ["tron", "T", 27.43],
  ["solana", "4", 27.15],
  ["bitcoin", "1", 27.43],
  ["bitcoin", "3", 27.43],
  ["bitcoin", "bc1q", 27.19],
  ["bitcoin", "bc1p", 27.19],
] as const)("two random addresses of %s from %s are lookalikes with chance 2^-%d", (family, start, bits) => {
  const format = formatOf(family, shaped(start, 42, "4", ""));
  const chance = accidentalMatch(format, [...format.shapes, ...format.rareShapes]) + fewDiffer(format);

  expect(-Math.log2(chance)).toBeCloseTo(bits, 2);
  expect(chance).toBeLessThan(2 ** -27);
  // A pair with fewer equal characters is rejected by that alone.
  for (const { prefix, suffix } of [...format.shapes, ...format.rareShapes, ...format.sameEndingShapes]) {
    expect(prefix + suffix).toBeGreaterThanOrEqual(FEWEST_EQUAL);
  }
});

test("two random mints of one launchpad are lookalikes with chance 2^-26.35", () => {
  const format = formatOf("solana", shaped("4", 44, "4", "pump"));
  const shapes = [...format.shapes, ...format.rareShapes, ...format.sameEndingShapes];

  expect(-Math.log2(accidentalMatch(format, shapes))).toBeCloseTo(26.35, 2);
});

test("only Solana has shapes for a common ending", () => {
  const ends = [
    ["evm", "0x"] as const,
    ["tron", "T"] as const,
    ["bitcoin", "1"] as const,
    ["bitcoin", "bc1q"] as const,
  ];

  for (const [family, start] of ends) {
    expect(formatOf(family, shaped(start, 42, "4", "")).sameEndingShapes).toEqual([]);
  }
});
