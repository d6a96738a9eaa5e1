import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { formatOf, type Shape } from "../../../../src/chains/address-format.ts";
import { type Family, families } from "../../../../src/chains/chain.ts";
import { evmEndingsOn } from "../../../../src/chains/evm/evm-endings.ts";
import { type EndingOf, lookalike, type Overlap } from "../../../../src/chains/lookalike.ts";
import { solanaEnding } from "../../../../src/chains/solana/solana-endings.ts";
import { type Random, seededRandom } from "../../../../src/kernel/retry.ts";
import { keyOf } from "../../../../src/labels/index/key-buckets.ts";
import { LookalikeIndex, type Nearest } from "../../../../src/service/lookalikes/lookalike-index.ts";
import { labelOf } from "../../../support/book-of.ts";
import { imitation, pick, randomAddress } from "../../../support/random-addresses.ts";

const RUNS = Number(process.env["FC_RUNS"] ?? 300);

/** The specification, in a slow form: every address is compared. */
function nearestOf(
  family: Family,
  members: readonly CanonicalAddress[],
  address: CanonicalAddress,
  endingOf?: EndingOf,
): Nearest | undefined {
  let best: Nearest | undefined;
  for (const [ordinal, member] of members.entries()) {
    const overlap = lookalike(family, member, address, endingOf);
    if (overlap !== undefined && overlap.bits > (best?.overlap.bits ?? -1)) best = { ordinal, overlap };
  }
  return best;
}

/** A member with the given number of characters changed, anywhere behind the constant prefix. */
function changed(family: Family, member: CanonicalAddress, count: number, random: Random): CanonicalAddress {
  const { constantPrefix } = formatOf(family, member);
  const characters = [...member];
  for (let i = 0; i < count; i++) {
    const at = constantPrefix + Math.floor(random() * (member.length - constantPrefix));
    characters[at] = randomAddress(family, random).at(-1) ?? "";
  }
  return characters.join("") as CanonicalAddress;
}

/** A member with a row of one character at one end. Rows count differently from other equal characters. */
function withRun(member: CanonicalAddress, constantPrefix: number, random: Random): CanonicalAddress {
  const run = pick(["2", "3"], random).repeat(4 + Math.floor(random() * 6));
  const body = member.slice(constantPrefix);
  const start = member.slice(0, constantPrefix);
  return `${start}${random() < 0.5 ? run + body.slice(run.length) : body.slice(run.length) + run}` as CanonicalAddress;
}

/**
 * A random address, or one derived from a member. It shares a shape with the member, one character less, more
 * characters, or all. Or it differs in some characters, or has a row of one character.
 */
function probe(family: Family, members: readonly CanonicalAddress[], random: Random): CanonicalAddress {
  const member = pick(members, random);
  const { shapes, rareShapes, mostDiffering, constantPrefix } = formatOf(family, member);
  const shape = pick([...shapes, ...rareShapes], random);
  const kind = random();
  if (kind < 0.15) return changed(family, member, 1 + Math.floor(random() * (mostDiffering + 2)), random);
  if (kind < 0.25) return withRun(member, constantPrefix, random);
  const shared = pick<() => Shape | undefined>(
    [
      () => undefined,
      () => shape,
      () => ({ prefix: shape.prefix + Math.floor(random() * 4), suffix: shape.suffix + Math.floor(random() * 4) }),
      () => ({ ...shape, prefix: Math.max(0, shape.prefix - 1) }),
      () => ({ ...shape, suffix: Math.max(0, shape.suffix - 1) }),
    ],
    random,
  )();
  if (shared !== undefined) return imitation(family, member, shared, random);
  return random() < 0.5 ? member : randomAddress(family, random);
}

/** Members that resemble each other, with duplicates, so that buckets hold several. */
function crowd(family: Family, size: number, random: Random): CanonicalAddress[] {
  const members = [randomAddress(family, random)];
  while (members.length < size) members.push(probe(family, members, random));
  return members;
}

describe.each(families)("addresses of %s", (family) => {
  test("the index answers like a comparison with every member", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, size) => {
        const random = seededRandom(seed);
        const members = crowd(family, size, random);
        const index = LookalikeIndex.of(family, members);
        for (let i = 0; i < 20; i++) {
          const address = probe(family, members, random);
          const expected = nearestOf(family, members, address);
          expect(index.nearest(address, () => 0)).toEqual(expected);
          expect(index.hasLookalike(address)).toBe(expected !== undefined);
        }
      }),
      { numRuns: RUNS },
    );
  });

  test("each shape of each format is enough, and one character less is not", () => {
    const random = seededRandom(1);
    for (let i = 0; i < 200; i++) {
      const member = randomAddress(family, random);
      const index = LookalikeIndex.of(family, [member]);
      const format = formatOf(family, member);
      const shapes = [...format.shapes, ...format.rareShapes];
      for (const shape of shapes) {
        expect(index.hasLookalike(imitation(family, member, shape, random))).toBe(true);
        for (const less of oneLess(shape)) {
          const suffices = shapes.some(({ prefix, suffix }) => prefix <= less.prefix && suffix <= less.suffix);
          expect(index.hasLookalike(imitation(family, member, less, random))).toBe(suffices);
        }
      }
    }
  });

  test("the index equals the comparison for over a quarter of a million pairs, near misses included", () => {
    const random = seededRandom(2);
    const members = crowd(family, 500, random);
    const index = LookalikeIndex.of(family, members);
    let [matched, differing] = [0, 0];
    for (let i = 0; i < 520; i++) {
      const address = probe(family, members, random);
      const expected = nearestOf(family, members, address);
      const found = index.nearest(address, () => 0);
      if (expected !== undefined) matched++;
      if (found?.ordinal !== expected?.ordinal || found?.overlap.bits !== expected?.overlap.bits) differing++;
    }
    expect(matched).toBeGreaterThan(100);
    expect(differing).toBe(0);
  });

  test("every shape is within a filter, so the index finds it", () => {
    const random = seededRandom(5);
    for (let i = 0; i < 50; i++) {
      const { shapes, rareShapes, filters } = formatOf(family, randomAddress(family, random));
      for (const { prefix, suffix } of [...shapes, ...rareShapes]) {
        expect(filters.some((filter) => prefix >= filter.prefix && suffix >= filter.suffix)).toBe(true);
      }
    }
  });

  test("among labels the index finds all lookalikes that reach the least bits of a label by their ends", () => {
    const least = (overlap: Overlap) =>
      overlap.bits > 6 * (overlap.prefix + overlap.suffix) ? Number.POSITIVE_INFINITY : 27;
    let found = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, size) => {
        const random = seededRandom(seed);
        const members = crowd(family, size, random);
        const index = LookalikeIndex.of(family, members, "labels");
        for (let i = 0; i < 20; i++) {
          const address = probe(family, members, random);
          const alike = members.some((member) => {
            const overlap = lookalike(family, member, address);
            return overlap !== undefined && overlap.bits >= least(overlap);
          });
          if (alike) found++;
          expect(index.nearest(address, (_, overlap) => least(overlap)) !== undefined).toBe(alike);
        }
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS);
  });

  test("a member below its bar is skipped for a member that reaches its own bar", () => {
    const random = seededRandom(3);
    const member = randomAddress(family, random);
    const [shape] = formatOf(family, member).shapes;
    if (shape === undefined) throw new Error("a format without shapes");
    const near = imitation(family, member, { prefix: shape.prefix + 3, suffix: shape.suffix + 3 }, random);
    const index = LookalikeIndex.of(family, [near, imitation(family, member, shape, random)]);

    expect(index.nearest(member, () => 0)?.ordinal).toBe(0);
    expect(index.nearest(member, (ordinal) => (ordinal === 0 ? Number.POSITIVE_INFINITY : 0))?.ordinal).toBe(1);
    expect(index.nearest(member, () => Number.POSITIVE_INFINITY)).toBeUndefined();
  });
});

test("the index answers like a comparison with every member on an EVM chain with its own endings", () => {
  const endingOf = evmEndingsOn("56");
  let [withEnding, alikeElsewhere] = [0, 0];
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, size) => {
      const random = seededRandom(seed);
      const ended = (address: CanonicalAddress) =>
        (address.slice(0, -4) + pick(["4444", "8888", address.slice(-4)], random)) as CanonicalAddress;
      const members = crowd("evm", size, random).map(ended);
      const index = LookalikeIndex.of("evm", members);
      for (let i = 0; i < 20; i++) {
        const address = ended(probe("evm", members, random));
        const expected = nearestOf("evm", members, address, endingOf);
        if (expected !== undefined && endingOf?.(address) !== "") withEnding++;
        if (expected === undefined && index.hasLookalike(address)) alikeElsewhere++;
        expect(index.nearest(address, () => Number.NEGATIVE_INFINITY, endingOf)).toEqual(expected);
        expect(index.hasLookalike(address, endingOf)).toBe(expected !== undefined);
      }
    }),
    { numRuns: RUNS },
  );
  expect([withEnding > RUNS / 10, alikeElsewhere > RUNS / 10]).toEqual([true, true]);
});

describe("Solana endings of launchpads", () => {
  /** The same address with another ending, or with no known ending. */
  function withEnding(address: CanonicalAddress, random: Random): CanonicalAddress {
    const ending = pick(
      ["pump", "pump", "bonk", "BLV", "1".repeat(16), "1".repeat(17), "1".repeat(15), "p", ""],
      random,
    );
    const end = pick(["a", "b", "ab", "abcde", "bbcde", "abcdefgh", ""], random) + ending;
    return (address.slice(0, address.length - end.length) + end) as CanonicalAddress;
  }

  test("with endings, the index answers like a comparison with every member", () => {
    let [matched, byLeadingAlone] = [0, 0];
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, size) => {
        const random = seededRandom(seed);
        const members = crowd("solana", size, random).map((address) => withEnding(address, random));
        const index = LookalikeIndex.of("solana", members);
        for (let i = 0; i < 20; i++) {
          const address = withEnding(probe("solana", members, random), random);
          const expected = nearestOf("solana", members, address);
          matched += expected === undefined ? 0 : 1;
          byLeadingAlone += expected?.overlap.suffix === solanaEnding(address).length ? 1 : 0;
          expect(index.nearest(address, () => 0)).toEqual(expected);
          expect(index.hasLookalike(address)).toBe(expected !== undefined);
        }
      }),
      { numRuns: RUNS },
    );
    expect(matched).toBeGreaterThan(RUNS);
    expect(byLeadingAlone).toBeGreaterThan(RUNS / 20);
  });

  test("the index finds a mint by five leading characters and its launchpad's ending, and by no fewer", () => {
    const random = seededRandom(4);
    for (let i = 0; i < 200; i++) {
      const mint = `${randomAddress("solana", random).slice(0, -4)}pump` as CanonicalAddress;
      const index = LookalikeIndex.of("solana", [mint]);
      const alike = (prefix: number) => imitation("solana", mint, { prefix, suffix: 4 }, random);
      expect(index.hasLookalike(alike(5))).toBe(true);
      expect(index.hasLookalike(alike(4))).toBe(false);
    }
  });

  test("a format with endings has no plain shape without a suffix, so members with another ending can be left out", () => {
    const { shapes } = formatOf("solana", randomAddress("solana", seededRandom(1)));

    expect(shapes.filter(({ suffix }) => suffix === 0)).toEqual([]);
  });
});

test("addresses with equal keys that do not look alike are told apart", () => {
  const { address: a } = labelOf("1", "0x4213fbb9963fd2df69048b0d26d5304241a95366", "exchange");
  const { address: b } = labelOf("1", "0xd4f8543bde5b1f7e190b22b1e5cc5f8246712f89", "exchange");
  const [filter] = formatOf("evm", a).filters;
  expect(filter).toEqual({ prefix: 3, suffix: 4 });
  expect(keyOf(a, 5, 4)).toBe(keyOf(b, 5, 4));

  expect(LookalikeIndex.of("evm", [a]).hasLookalike(b)).toBe(false);
});

function oneLess({ prefix, suffix }: Shape): Shape[] {
  const shorter = [
    { prefix: prefix - 1, suffix },
    { prefix, suffix: suffix - 1 },
  ];
  return shorter.filter((shape) => shape.prefix >= 0 && shape.suffix >= 0);
}
