import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { formatOf } from "../../../../../src/chains/address-format.ts";
import type { Family } from "../../../../../src/chains/chain.ts";
import type { CalibrationTable } from "../../../../../src/worker/batching/canary.ts";
import { SimilarUsers } from "../../../../../src/worker/batching/queue/similar-users.ts";
import { calibrated, evm, evmAlike } from "../../../../support/poisoning-parts.ts";

/**
 * Few distinct end characters, low and high, so that many ends agree. Some would collide in a base that is too small.
 */
const ends = (letters: string, size: number) =>
  fc.array(fc.constantFrom(...letters), { minLength: size, maxLength: size }).map((characters) => characters.join(""));
const addresses = (heads: readonly string[], letters: string, middle: string) =>
  fc
    .tuple(fc.constantFrom(...heads), ends(letters, 6), ends(letters, 6))
    .map(([head, first, last]) => `${head}${first}${middle}${last}` as CanonicalAddress);
const written: Record<Family, fc.Arbitrary<CanonicalAddress>> = {
  evm: addresses(["0x"], "0f", "a".repeat(28)),
  tron: addresses(["T"], "12h", "b".repeat(21)),
  solana: addresses([""], "12B", "c".repeat(31)),
  bitcoin: fc.oneof(addresses(["1", "3"], "1z", "d".repeat(21)), addresses(["bc1q", "bc1p"], "01h", "q".repeat(26))),
};

/** Number of leading characters that two bodies share. A run at the start counts as four characters at most. */
function shared(a: string, b: string): number {
  const at = [...a].findIndex((character, i) => character !== b[i]);
  const start = at < 0 ? a : a.slice(0, at);
  return start.replace(/^(.)\1{4,}/, (run) => run.slice(0, 4)).length;
}

const reversed = (text: string) => [...text].reverse().join("");

/** Compares the texts directly, by every shape. */
function areAlike(family: Family, calibrations: CalibrationTable, a: CanonicalAddress, b: CanonicalAddress): boolean {
  const format = formatOf(family, a);
  if (format !== formatOf(family, b) || a.slice(0, format.constantPrefix) !== b.slice(0, format.constantPrefix))
    return false;
  const [own, other] = [a.slice(format.constantPrefix), b.slice(format.constantPrefix)];
  const [leading, trailing] = [shared(own, other), shared(reversed(own), reversed(other))];
  if (format.rareShapes.some(({ prefix, suffix }) => leading >= prefix && trailing >= suffix)) return true;
  return (calibrations(family, format)?.flaggedShapes ?? []).some(({ prefix, suffix }) => {
    const head = format.constantPrefix + prefix;
    return a.slice(0, head) === b.slice(0, head) && (suffix === 0 || a.slice(-suffix) === b.slice(-suffix));
  });
}

describe.each(Object.keys(written) as Family[])("users of %s", (family) => {
  test("users are alike exactly if a shape's characters agree", () => {
    let alike = 0;
    fc.assert(
      fc.property(fc.uniqueArray(written[family], { minLength: 2, maxLength: 30 }), (users) => {
        const known = new SimilarUsers(family, calibrated);
        for (const [i, user] of users.entries()) {
          const expected = users.slice(0, i).some((other) => areAlike(family, calibrated, user, other));
          if (expected) alike++;
          expect(known.has(user)).toBe(expected);
          known.add(user);
        }
      }),
      { numRuns: 300 },
    );
    expect(alike).toBeGreaterThan(100);
  });
});

test("account numbers of Hedera are not alike because of their zeros", () => {
  const account = (digits: string) => `0x${digits.padStart(40, "0")}` as CanonicalAddress;
  const known = new SimilarUsers("evm", calibrated);
  known.add(account("16f89a"));

  expect([known.has(account("16f111")), known.has(account("20f89a")), known.has(account("516f111"))]).toEqual([
    false,
    true,
    false,
  ]);
});

test("a shape that is flagged twice, or beside a stricter shape, counts once", () => {
  const loose = { prefix: 3, suffix: 4 };
  for (const flaggedShapes of [
    [loose],
    [loose, { ...loose }],
    [{ prefix: 4, suffix: 4 }, loose, { prefix: 3, suffix: 5 }],
  ]) {
    const known = new SimilarUsers("evm", () => ({ canaries: undefined, flaggedShapes }));
    known.add(evm(10));
    expect([known.has(evmAlike(10)), known.has(evm(11))]).toEqual([true, false]);
  }
});

test("no users are alike if no shape is flagged, or before a calibration", () => {
  for (const calibrations of [() => undefined, () => ({ canaries: undefined, flaggedShapes: [] })]) {
    const known = new SimilarUsers("evm", calibrations);
    known.add(evm(10));
    expect(known.has(evmAlike(10))).toBe(false);
  }
});

test("ten characters of bech32, the longest comparison, are distinguished up to the last character", () => {
  const known = new SimilarUsers("bitcoin", () => ({ canaries: undefined, flaggedShapes: [{ prefix: 1, suffix: 5 }] }));
  const ending = (last: string) => `bc1qz${"q".repeat(32)}zzzz${last}` as CanonicalAddress;
  known.add(ending("0"));

  expect([known.has(ending("0")), known.has(ending("2"))]).toEqual([true, false]);
});
