import { expect, test } from "vitest";
import { CUT_WINDOW, cutGroup, halves } from "../../../../src/worker/simulation/cut-group.ts";
import { locksForSharing } from "../../../../src/worker/simulation/locks.ts";

/** An event that writes the given accounts. Without accounts it goes alone. */
function waiting(...accounts: readonly string[]) {
  const [feePayer] = accounts;
  if (feePayer === undefined) return { locks: undefined };
  const flags = { usesLookupTables: false, callsUpgradeableLoader: false };
  return { locks: locksForSharing([{ feePayer, writable: accounts, named: accounts, ...flags }]) };
}

const strangers = (count: number) => Array.from({ length: count }, (_, i) => waiting(`stranger ${i}`));

test("an empty queue gives an empty group", () => {
  expect(cutGroup([], 8)).toEqual([]);
});

test("the oldest events go first, as many as fit", () => {
  const line = strangers(10);

  expect(cutGroup(line, 8)).toEqual(line.slice(0, 8));
  expect(cutGroup(line, 1)).toEqual(line.slice(0, 1));
});

test("an event that may not share is skipped, and stays", () => {
  const [a, b, alsoA, c] = [waiting("a"), waiting("b"), waiting("a", "d"), waiting("c")];

  expect(cutGroup([a, b, alsoA, c], 8)).toEqual([a, b, c]);
});

test("a skipped event delays only events that conflict with it once it is first", () => {
  const [a, alsoA, d] = [waiting("a"), waiting("a", "d"), waiting("d")];

  expect(cutGroup([a, alsoA, d], 8)).toEqual([a, d]);
  expect(cutGroup([alsoA, d], 8)).toEqual([alsoA]);
});

test("an event that goes alone takes no other event along, and joins no group", () => {
  const [alone, a, b] = [waiting(), waiting("a"), waiting("b")];

  expect(cutGroup([alone, a, b], 8)).toEqual([alone]);
  expect(cutGroup([a, alone, b], 8)).toEqual([a, b]);
});

test("the search for further events is limited", () => {
  const blocked = Array.from({ length: CUT_WINDOW - 1 }, () => waiting("a"));
  const [near, far] = [waiting("b"), waiting("c")];

  expect(cutGroup([...blocked, near, far], 8)).toEqual([blocked[0], near]);
});

test.each([
  [2, [1, 1]],
  [3, [2, 1]],
  [8, [4, 4]],
])("a group of %i is halved without a loss", (count, sizes) => {
  const group = strangers(count);

  expect(halves(group).map(({ length }) => length)).toEqual(sizes);
  expect(halves(group).flat()).toEqual(group);
});
