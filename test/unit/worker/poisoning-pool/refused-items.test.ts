import { expect, test } from "vitest";
import { splitRefused } from "../../../../src/worker/poisoning-pool/refused-items.ts";
import { chainOf, evm, partAbout } from "../../../support/poisoning-parts.ts";

const ethereum = chainOf("1");
const parts = [1, 2, 3, 4, 5].map((i) => partAbout({ target: evm(i), token: evm(10 + (i % 2)), users: [evm(20 + i)] }));
const item = (address: string) => ({ chain_id: ethereum.id, address });
const request = {
  user_addresses: [25, 24, 23, 22, 21].map((i) => item(evm(i))),
  target_addresses: [1, 2, 3, 4, 5, 99].map((i) => item(evm(i))),
  token_addresses: [10, 11].map((i) => item(evm(i))),
};
const split = (detail: string, of = parts) =>
  splitRefused(of, request, detail).map((half) => half.map((part) => parts.indexOf(part) + 1));
const halves = [
  [1, 2, 3],
  [4, 5],
];

test.each([
  ["user_addresses[1].address: bad checksum", [[4], [1, 2, 3, 5]]],
  ["in target_addresses[2]: empty address", [[3], [1, 2, 4, 5]]],
  [
    "unsupported chain (token_addresses[0])",
    [
      [2, 4],
      [1, 3, 5],
    ],
  ],
  [
    "token_addresses[1] and target_addresses[0]",
    [
      [1, 3, 5],
      [2, 4],
    ],
  ],
])("the part whose item is named goes one way, the others the other: %s", (detail, expected) => {
  expect(split(detail)).toEqual(expected);
});

test.each([
  ["no item", "invalid request"],
  ["a canary", "target_addresses[5]: bad"],
  ["an item that is not there", "target_addresses[6]: bad"],
  ["an absurd item", "target_addresses[12345]: bad"],
  ["another array", "addresses[1]: bad"],
  ["another array's end", "my_user_addresses[1]: bad"],
])("when it names %s they go in halves", (_name, detail) => {
  expect(split(detail)).toEqual(halves);
});

test("when all of them hold the named item, or the request is unknown, they go in halves", () => {
  const odd = parts.filter((_, i) => i % 2 === 0);
  expect(split("token_addresses[1]", odd)).toEqual([[1, 3], [5]]);
  expect(splitRefused(parts, undefined, "target_addresses[0]")).toEqual([parts.slice(0, 3), parts.slice(3)]);
});

test("an item on another chain is another one", () => {
  const elsewhere = partAbout({ target: evm(1), chain: chainOf("56") });
  const [holding] = splitRefused([elsewhere, ...parts], request, "target_addresses[0]");
  expect(holding).toEqual(parts.slice(0, 1));
});

test("one named user of several is enough", () => {
  const several = partAbout({ target: evm(6), users: [evm(23), evm(26)] });
  const [holding, others] = splitRefused([...parts, several], request, "user_addresses[2]");

  expect(holding).toEqual([parts[2], several]);
  expect(others).toEqual(parts.filter((_, i) => i !== 2));
});
