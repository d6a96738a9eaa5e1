import { expect, test } from "vitest";
import { Companions } from "../../../../src/worker/poisoning-pool/companions.ts";
import { chainOf, evm, type PartFields, partAbout } from "../../../support/poisoning-parts.ts";

const about = (i: number, fields: PartFields = {}) => ({
  part: partAbout({ target: evm(i), users: [evm(1000)], ...fields }),
});

test("those with the same users on the same chain are each other's company, as they came", () => {
  const companions = new Companions();
  const [first, second, third] = [about(1), about(2), about(3)];
  const others = [about(4, { users: [evm(1001)] }), about(5, { chain: chainOf("56") })];
  for (const each of [first, second, ...others, third, second]) companions.add(each);

  expect(companions.of(about(9))).toEqual([first, second, third]);
  companions.remove(first);
  companions.remove(others[0] ?? first);
  expect(companions.of(first)).toEqual([second, third]);
  expect(companions.of(about(9, { users: [evm(1001)] }))).toEqual([]);
  for (const each of [second, third, third]) companions.remove(each);
  expect(companions.of(first)).toEqual([]);
});

test("one that came after another had gone alone is found", () => {
  const companions = new Companions();
  const [first, second] = [about(1), about(2)];
  companions.add(first);
  companions.remove(second);
  expect(companions.of(second)).toEqual([first]);
  companions.remove(first);
  companions.add(second);

  expect(companions.of(first)).toEqual([second]);
});

test("nobody is company without a user, or with more than eight", () => {
  const companions = new Companions();
  const many = Array.from({ length: 9 }, (_, i) => evm(2000 + i));
  const all = [about(1, { users: [] }), about(2, { users: many }), about(3, { users: many.slice(1) })];
  for (const each of all) companions.add(each);

  expect(all.map((each) => companions.of(each).length)).toEqual([0, 0, 1]);
});
