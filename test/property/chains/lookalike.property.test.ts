import fc from "fast-check";
import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../src/chains/address.ts";
import { type AddressFormat, formatOf, type Shape } from "../../../src/chains/address-format.ts";
import { lookalike, overlap } from "../../../src/chains/lookalike.ts";

fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? 2000), seed: 20_240_503 });

/** Kinds of addresses: family, constant prefix, and length of the rest. */
const kinds = [
  ["evm", "0x", 40],
  ["tron", "T", 33],
  ["solana", "", 43],
  ["solana", "", 44],
  ["bitcoin", "1", 32],
  ["bitcoin", "1", 33],
  ["bitcoin", "3", 33],
  ["bitcoin", "bc1q", 38],
  ["bitcoin", "bc1q", 58],
  ["bitcoin", "bc1p", 58],
] as const;

/** The part after the constant prefix, from two characters only, so that ends often agree. */
const bodyOf = ([, , length]: (typeof kinds)[number]) =>
  fc.string({ unit: fc.constantFrom("2", "3"), minLength: length, maxLength: length });

/** Two addresses of one family. The second may share some ends of the first behind its own constant prefix. */
const pair = fc
  .constantFrom(...kinds)
  .chain((first) => fc.tuple(fc.constant(first), fc.constantFrom(...kinds.filter(([family]) => family === first[0]))))
  .chain(([first, second]) =>
    fc
      .tuple(bodyOf(first), bodyOf(second), fc.nat({ max: 8 }), fc.nat({ max: 9 }))
      .map(([body, own, leading, trailing]) => {
        const mixed =
          body.slice(0, leading) + own.slice(leading, own.length - trailing) + body.slice(body.length - trailing);
        return {
          family: first[0],
          a: (first[1] + body) as CanonicalAddress,
          b: (second[1] + mixed) as CanonicalAddress,
        };
      }),
  );

/**
 * A slow specification. Two different addresses with one constant prefix are lookalikes in three cases. Both ends of a
 * shape are equal as strings; or both ends of a rare shape are, with a part of runs left out; or few characters differ.
 */
function isLookalike(a: string, b: string, format: AddressFormat): boolean {
  if (a === b || !b.startsWith(a.slice(0, format.constantPrefix))) return false;
  const [own, other] = [a, b].map((text) => text.slice(format.constantPrefix));
  if (own === undefined || other === undefined) return false;
  const hasEnds = (one: string, two: string, { prefix, suffix }: Shape) =>
    two.startsWith(one.slice(0, prefix)) && two.endsWith(one.slice(one.length - suffix));
  if (format.shapes.some((shape) => hasEnds(own, other, shape))) return true;
  const leading = withoutRun(sharedStart(own, other)).length;
  const trailing = withoutRun(sharedStart(reversed(own), reversed(other))).length;
  if (format.rareShapes.some(({ prefix, suffix }) => leading >= prefix && trailing >= suffix)) return true;
  const differing = [...own].filter((character, i) => character !== other[i]).length;
  return own.length === other.length && differing <= format.mostDiffering;
}

const reversed = (text: string) => [...text].reverse().join("");

function sharedStart(a: string, b: string): string {
  const at = [...a].findIndex((character, i) => character !== b[i]);
  return at < 0 ? a : a.slice(0, at);
}

/** Keeps four characters of the run that a text begins with. */
function withoutRun(text: string): string {
  return text.replace(/^(.)\1{4,}/, (run) => run.slice(0, 4));
}

/** The longest common ends, one character more at a time. The suffix must not reach into the prefix. */
function ends(a: string, b: string, constantPrefix: number): { prefix: number; suffix: number } {
  if (!b.startsWith(a.slice(0, constantPrefix))) return { prefix: 0, suffix: 0 };
  const shorter = Math.min(a.length, b.length);
  let leading = constantPrefix;
  while (leading < shorter && b.startsWith(a.slice(0, leading + 1))) leading++;
  let suffix = 0;
  while (leading + suffix < shorter && b.endsWith(a.slice(a.length - suffix - 1))) suffix++;
  return { prefix: leading - constantPrefix, suffix };
}

test("a lookalike matches the shapes, compared as strings", () => {
  let found = 0;
  fc.assert(
    fc.property(pair, ({ family, a, b }) => {
      const expected = isLookalike(a, b, formatOf(family, a));

      found += expected ? 1 : 0;
      expect(lookalike(family, a, b) !== undefined).toBe(expected);
    }),
  );
  expect(found).toBeGreaterThan(0);
});

test("an overlap is the longest equal ends, compared as strings", () => {
  fc.assert(
    fc.property(pair, ({ family, a, b }) => {
      expect(overlap(family, a, b)).toMatchObject(ends(a, b, formatOf(family, a).constantPrefix));
    }),
  );
});

test("the result does not depend on the order of the two addresses", () => {
  fc.assert(
    fc.property(pair, ({ family, a, b }) => {
      expect(lookalike(family, a, b)).toEqual(lookalike(family, b, a));
      expect(overlap(family, a, b)).toEqual(overlap(family, b, a));
    }),
  );
});

const differing = (a: string, b: string) => [...a].filter((character, i) => character !== b[i]).length;

test("a lookalike comes with its overlap, and its characters carry no more than their bits", () => {
  fc.assert(
    fc.property(pair, ({ family, a, b }) => {
      const both = overlap(family, a, b);
      const format = formatOf(family, a);

      expect([undefined, both]).toContainEqual(lookalike(family, a, b));
      expect(both.bits).toBeGreaterThanOrEqual(0);
      const ends = (both.prefix + both.suffix) * format.bitsPerCharacter;
      expect(both.bits).toBeLessThanOrEqual(differing(a, b) > format.mostDiffering ? ends : a.length * 6);
    }),
  );
});
