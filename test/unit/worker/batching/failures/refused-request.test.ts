import { expect, test } from "vitest";
import { RefusedRequest } from "../../../../../src/worker/batching/failures/refused-request.ts";
import { chainOf, evm, type PartFields } from "../../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../../support/waiting-parts.ts";

const some = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => waitingFor({ target: evm(from + i), users: [evm(2_000 + from + i)] }));
const refused = (count: number) => new RefusedRequest({ kind: "pooled", waiting: some(count) });
/** Number of further requests with two entries each, with new entries from `from` on. */
const takenBy = (root: RefusedRequest, from = 500) => {
  for (let taken = 0; ; taken++) if (!root.takes(some(2, from + 2 * taken))) return taken;
};

test.each([
  [1, 0],
  [2, 1],
  [3, 2],
  [20, 19],
  [21, 20],
  [22, 20],
  [23, 20],
  [24, 21],
  [400, 115],
])("of %i entries that were refused together, %i more shared requests may fail", (count, taken) => {
  expect(takenBy(refused(count))).toBe(taken);
});

test("one entry alone is always sent, and costs nothing of the budget", () => {
  const root = refused(2);
  for (let i = 0; i < 5; i++) expect(root.takes(some(1))).toBe(true);
  expect(takenBy(root)).toBe(1);
  expect(root.takes(some(1))).toBe(true);
});

test("an answered request adds its entries to the budget, and an answered single entry adds nothing", () => {
  const root = refused(2);
  expect(takenBy(root)).toBe(1);

  root.answered(some(1));
  expect(takenBy(root, 600)).toBe(0);
  root.answered(some(3));
  expect(takenBy(root, 600)).toBe(3);
});

test("entries that were sent together are not sent together again in any order, and that costs no budget", () => {
  const root = refused(4);
  const [first, second, third] = some(3);
  const pair = [first, second].filter((each) => each !== undefined);

  expect(root.takes(some(4).toReversed())).toBe(false);
  expect(root.takes(pair)).toBe(true);
  expect(root.takes(pair.toReversed())).toBe(false);
  expect(root.takes([...pair, third].filter((each) => each !== undefined))).toBe(true);
  expect(takenBy(root)).toBe(1);
});

test("only equal users, targets and tokens on equal chains count as the same items", () => {
  const part = { target: evm(1), token: evm(3), users: [evm(5)] };
  const two = (a: PartFields, b: PartFields) => [waitingFor(a), waitingFor(b)];
  const asked = two({ ...part }, { ...part, users: [evm(6)] });
  const same = two({ target: evm(1), token: evm(3), users: [evm(5), evm(6)] }, { target: evm(1), users: [evm(5)] });
  const others = [
    two(part, { ...part, users: [evm(7)] }),
    two(part, { ...part, target: evm(2), users: [evm(6)] }),
    two({ ...part, token: evm(4) }, { ...part, users: [evm(6)] }),
    two({ target: evm(1), users: [evm(5)] }, { target: evm(1), users: [evm(6)] }),
    two({ ...part, chain: chainOf("56") }, { ...part, users: [evm(6)], chain: chainOf("56") }),
    two({ target: evm(3), token: evm(1), users: [evm(5)] }, { target: evm(3), token: evm(1), users: [evm(6)] }),
  ];

  const root = new RefusedRequest({ kind: "pooled", waiting: [...asked, ...some(20, 100)] });
  expect([root.takes(asked), root.takes(same)]).toEqual([true, false]);
  expect(others.map((other) => root.takes(other))).toEqual(others.map(() => true));
});
