import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../../src/chains/address.ts";
import { SameUserIndex } from "../../../../../src/worker/batching/queue/same-user-index.ts";
import { chainOf, evm, type PartFields, partAbout } from "../../../../support/poisoning-parts.ts";

const about = (i: number, fields: PartFields = {}) => ({
  part: partAbout({ target: evm(i), users: [evm(1000)], ...fields }),
});

/** The entries that would join an entry that does not wait itself. */
const companyOf = (companions: SameUserIndex<ReturnType<typeof about>>, fields: PartFields = {}) =>
  companions.leave(about(999, fields));

test("entries with the same users on the same chain are found in order of arrival", () => {
  const companions = new SameUserIndex<ReturnType<typeof about>>();
  const [first, second, third] = [about(1), about(2), about(3)];
  const other = about(4, { users: [evm(1001)] });
  for (const each of [first, second, other, about(5, { chain: chainOf("56") }), third, second]) companions.add(each);

  expect(companyOf(companions)).toEqual([first, second, third]);
  expect(companions.leave(first)).toEqual([second, third]);
  expect(companyOf(companions, { users: [evm(1001)] })).toEqual([other]);
  expect(companions.leave(other)).toEqual([]);
  expect(companyOf(companions, { users: [evm(1001)] })).toEqual([]);
  expect(companyOf(companions)).toEqual([second, third]);
  expect(companions.leave(second)).toEqual([third]);
  expect(companions.leave(third)).toEqual([]);
  expect(companyOf(companions)).toEqual([]);
});

test("an entry that arrives after another one left is found", () => {
  const companions = new SameUserIndex<ReturnType<typeof about>>();
  const [first, second] = [about(1), about(2)];
  companions.add(first);
  expect(companions.leave(second)).toEqual([first]);
  expect(companions.leave(first)).toEqual([]);
  companions.add(second);

  expect(companions.leave(first)).toEqual([second]);
});

test("several users match only exactly the same users, and no subset", () => {
  const companions = new SameUserIndex<ReturnType<typeof about>>();
  const [pair, same] = [1, 2].map((i) => about(i, { users: [evm(1000), evm(1001)] }));
  for (const each of [about(3), pair, same]) if (each !== undefined) companions.add(each);

  expect(companyOf(companions, { users: [evm(1001), evm(1000)] })).toEqual([pair, same]);
  expect(companyOf(companions, { users: [evm(1001)] })).toEqual([]);
  companions.add(about(4, { users: ["ab", "c"] as CanonicalAddress[] }));
  expect(companyOf(companions, { users: ["a", "bc"] as CanonicalAddress[] })).toEqual([]);
});

test("an entry without users, or with more than eight, matches no entry", () => {
  const companions = new SameUserIndex<ReturnType<typeof about>>();
  const many = Array.from({ length: 9 }, (_, i) => evm(2000 + i));
  const all = [{ users: [] }, { users: many }, { users: many.slice(1) }];
  for (const fields of all) for (const i of [1, 2]) companions.add(about(i, fields));

  expect(all.map((fields) => companyOf(companions, fields).length)).toEqual([0, 0, 2]);
});

test("the distinct users of entries with one user are counted on each chain", () => {
  const companions = new SameUserIndex<ReturnType<typeof about>>();
  const all = [about(1), about(2), about(3, { users: [evm(1001)] }), about(4, { chain: chainOf("56") })];
  for (const each of [...all, about(5, { users: [evm(7), evm(8)] }), about(6, { users: [] })]) companions.add(each);

  const counts = all.map((each) => {
    const { onlyUsers } = companions;
    companions.leave(each);
    return onlyUsers;
  });
  expect([...counts, companions.onlyUsers]).toEqual([3, 3, 2, 1, 0]);
});
