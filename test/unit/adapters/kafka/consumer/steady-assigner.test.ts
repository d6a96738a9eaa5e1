import fc from "fast-check";
import { expect, test } from "vitest";
import { shareOut } from "../../../../../src/adapters/kafka/consumer/steady-assigner.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const ownerOf = (shares: ReadonlyMap<string, readonly number[]>) =>
  new Map([...shares].flatMap(([member, share]) => share.map((partition) => [partition, member] as const)));

test("every partition has one owner, and counts of two members differ by one at most", () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 60 }), names, (topic, count, members) => {
      const shares = [...shareOut(topic, numbers(count), members).values()];
      expect(shares.flat().toSorted((a, b) => a - b)).toEqual(numbers(count));
      const sizes = shares.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});

test("the order of the members does not matter", () => {
  const members = numbers(7).map((i) => `weir-${i * 7919}`);
  const before = ownerOf(shareOut("events", numbers(50), members));
  expect(ownerOf(shareOut("events", numbers(50), members.toReversed()))).toEqual(before);
});

/** The share of kept partitions among members before and after a change, over many groups. */
function kept(change: (members: readonly string[], i: number) => readonly string[]): number {
  let [stayed, could] = [0, 0];
  for (const i of numbers(100)) {
    const members = numbers(3 + (i % 5)).map((j) => `weir-${i}-${j}`);
    const now = change(members, i);
    const before = ownerOf(shareOut("events", numbers(24), members));
    const after = ownerOf(shareOut("events", numbers(24), now));
    for (const [partition, owner] of before) {
      if (!now.includes(owner)) continue;
      could++;
      if (after.get(partition) === owner) stayed++;
    }
  }
  return stayed / could;
}

test("most partitions keep their member when another member leaves, joins, or is replaced", () => {
  expect(kept((members) => members.slice(1))).toBeGreaterThan(0.8);
  expect(kept((members, i) => [...members, `new-${i}`])).toBeGreaterThan(0.65);
  expect(kept((members, i) => [...members.slice(1), `new-${i}`])).toBeGreaterThan(0.7);
});
