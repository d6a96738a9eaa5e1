import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { haveSameUsers, isSame, maxPartUsers, partsOf, textOf } from "../../../../src/worker/batching/batch-entry.ts";
import { chainOf, evm, partAbout, questionAbout } from "../../../support/poisoning-parts.ts";

const users = (count: number) => Array.from({ length: count }, (_, i) => evm(i + 10));
const sizesOf = (count: number) => partsOf(questionAbout({ users: users(count) })).map((part) => part.users.length);

test("a question is one entry as long as its users fit with its target, its token and its chain's canaries", () => {
  expect(maxPartUsers()).toBe(992);
  expect(sizesOf(0)).toEqual([0]);
  expect(sizesOf(1)).toEqual([1]);
  expect(sizesOf(992)).toEqual([992]);
  expect(sizesOf(993)).toEqual([992, 1]);
  expect(sizesOf(1984)).toEqual([992, 992]);
  expect(sizesOf(1985)).toEqual([992, 992, 1]);
});

test.each([
  [20, 12, [12, 1]],
  [10, 2, [2, 2, 2, 2, 2, 2, 1]],
  // Canaries would take the whole request.
  [9, 7, [7, 6]],
  [3, 1, Array.from({ length: 13 }, () => 1)],
])("with %s items per request an entry has at most %s users", (maxItems, most, sizes) => {
  expect(maxPartUsers(maxItems)).toBe(most);
  const parts = partsOf(questionAbout({ users: users(13) }), maxItems);
  expect(parts.map((part) => part.users.length)).toEqual(sizes);
});

test("every entry has the same target and token, and every user is in one entry", () => {
  const parts = partsOf(questionAbout({ target: evm(1), token: evm(2), users: users(1985) }));

  expect(parts.map(({ chain, target, token }) => [chain.id, target, token])).toEqual([
    ["1", evm(1), evm(2)],
    ["1", evm(1), evm(2)],
    ["1", evm(1), evm(2)],
  ]);
  expect(parts.flatMap((part) => part.users)).toEqual(users(1985).toSorted());
  expect(new Set(parts.map(textOf)).size).toBe(3);
});

test("the order of the users does not change the entry, and a service always gets the same order", () => {
  const [one] = partsOf(questionAbout({ users: [evm(5), evm(3), evm(4)] }));
  const [other] = partsOf(questionAbout({ users: [evm(4), evm(5), evm(3)] }));

  expect(one).toEqual(other);
  expect(one?.users).toEqual([evm(3), evm(4), evm(5)]);
  const many = partsOf(questionAbout({ users: users(1985) }));
  expect(partsOf(questionAbout({ users: users(1985).toReversed() }))).toEqual(many);
});

test("an entry is identified by chain, target, token and users, and a set of users by chain and members", () => {
  const [a, b] = [evm(3), evm(4)];
  const part = partAbout({ users: [a] });
  const others = [
    partAbout({ users: [a], chain: chainOf("56") }),
    partAbout({ users: [a], target: evm(2) }),
    partAbout({ users: [a], token: evm(2) }),
    partAbout({ users: [b] }),
    partAbout({ users: [a, b] }),
    partAbout({}),
  ];

  expect(new Set([part, ...others].map(textOf)).size).toBe(7);
  expect(others.some((other) => isSame(other, part))).toBe(false);
  expect(isSame(partAbout({ users: [a, b], token: evm(2) }), partAbout({ users: [b, a], token: evm(2) }))).toBe(true);
  expect(others.map((other) => haveSameUsers(other, part))).toEqual([false, true, true, false, false, false]);
  expect(haveSameUsers(partAbout({ users: [a, b] }), partAbout({ users: [a, evm(5)] }))).toBe(false);
  expect(haveSameUsers(partAbout({ users: [a, b] }), partAbout({ users: [b, a] }))).toBe(true);
});

test("users of different lengths with the same concatenation are different users", () => {
  const part = (...texts: string[]) => partAbout({ users: texts as CanonicalAddress[] });

  expect(textOf(part("ab", "c"))).not.toBe(textOf(part("a", "bc")));
  expect(isSame(part("ab", "c"), part("a", "bc"))).toBe(false);
});
