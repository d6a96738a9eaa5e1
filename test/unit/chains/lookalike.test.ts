import { expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import { type AddressFormat, formatOf, type Shape } from "../../../src/chains/address-format.ts";
import type { Family } from "../../../src/chains/chain.ts";
import { lookalike, overlap } from "../../../src/chains/lookalike.ts";

function canonical(family: Family, text: string): CanonicalAddress {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

/** Text with the ends of an address; no checksum is right, because chosen ends cannot be had with one. */
function shaped(start: string, length: number, filler: string, end: string): CanonicalAddress {
  return (start + filler.repeat(length - start.length - end.length) + end) as CanonicalAddress;
}

test("the theft of 1,155 WBTC of May 2024 was by a lookalike", () => {
  const a = canonical("evm", "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91");
  const b = canonical("evm", "0xd9A1C3788D81257612E2581A6ea0aDa244853a91");

  expect(lookalike("evm", a, b)).toEqual({ prefix: 4, suffix: 6, bits: 40 });
});

test("the theft of 7M PYTH of November 2024 was by a lookalike", () => {
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

/** Family, an address, how many characters after the constant prefix and at the end a second one shares. */
test.each([
  ["evm", "0x", 42, 3, 4, true],
  ["evm", "0x", 42, 2, 4, false],
  ["evm", "0x", 42, 3, 3, false],
  ["evm", "0x", 42, 2, 30, false],
  ["evm", "0x", 42, 30, 3, false],
  ["tron", "T", 34, 0, 5, true],
  ["tron", "T", 34, 1, 4, true],
  ["tron", "T", 34, 0, 4, false],
  ["tron", "T", 34, 3, 3, true],
  ["tron", "T", 34, 2, 3, false],
  ["tron", "T", 34, 20, 2, false],
  ["solana", "", 44, 4, 1, true],
  ["solana", "", 44, 0, 5, true],
  ["solana", "", 44, 3, 2, false],
  ["solana", "", 44, 2, 3, false],
  ["solana", "", 44, 3, 3, true],
  ["solana", "", 44, 2, 4, true],
  ["solana", "", 44, 1, 4, false],
  ["solana", "", 44, 20, 0, false],
  ["bitcoin", "1", 34, 0, 5, true],
  ["bitcoin", "1", 34, 1, 4, true],
  ["bitcoin", "3", 34, 0, 5, true],
  ["bitcoin", "3", 34, 0, 4, false],
  ["bitcoin", "1", 34, 3, 3, true],
  ["bitcoin", "3", 34, 3, 3, true],
  ["bitcoin", "3", 34, 2, 3, false],
  ["bitcoin", "3", 34, 20, 2, false],
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
    const head = start + "4".repeat(p);
    const tail = "4".repeat(s);
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

test("case counts in base58", () => {
  const a = shaped("T", 34, "2", "abcde");
  const b = shaped("T", 34, "3", "abcdE");

  expect(lookalike("tron", a, b)).toBeUndefined();
});

test("a suffix ends where the prefix did", () => {
  const long = shaped("", 44, "2", "");
  const short = shaped("", 43, "2", "");

  expect(overlap("solana", long, short)).toMatchObject({ prefix: 43, suffix: 0 });
  expect(lookalike("solana", long, short)).toMatchObject({ prefix: 43, suffix: 0 });
});

/**
 * The chance that two random addresses agree in a character near the front, from the exact range of the numbers that
 * the text spells in base 58: the character `skip` places after the first, over all lengths of the text.
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
  "%s addresses from %j: the first character is worth what its distribution gives",
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

test.each([
  ["evm", "0x", 28.0],
  ["tron", "T", 27.48],
  ["solana", "4", 27.17],
  ["bitcoin", "1", 27.48],
  ["bitcoin", "3", 27.48],
  ["bitcoin", "bc1q", 27.19],
  ["bitcoin", "bc1p", 27.19],
] as const)("two random addresses of %s from %s are lookalikes with chance 2^-%d", (family, start, bits) => {
  const format = formatOf(family, shaped(start, 42, "4", ""));
  const chance = accidentalMatch(format, format.shapes);

  expect(-Math.log2(chance)).toBeCloseTo(bits, 2);
  expect(chance).toBeLessThan(2 ** -27);
});

test("two random mints of one launchpad are lookalikes with chance 2^-26.36", () => {
  const format = formatOf("solana", shaped("4", 44, "4", "pump"));
  const chance = accidentalMatch(format, [...format.shapes, ...format.sameEndingShapes]);

  expect(-Math.log2(chance)).toBeCloseTo(26.36, 2);
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
