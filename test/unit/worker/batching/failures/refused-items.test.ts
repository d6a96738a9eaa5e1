import { expect, test } from "vitest";
import { partsNamed } from "../../../../../src/worker/batching/failures/refused-items.ts";
import { chainOf, evm, partAbout } from "../../../../support/poisoning-parts.ts";

const ethereum = chainOf("1");
const parts = [1, 2, 3, 4, 5].map((i) => partAbout({ target: evm(i), token: evm(10 + (i % 2)), users: [evm(20 + i)] }));
const item = (address: string) => ({ chain_id: ethereum.id, address });
const request = {
  user_addresses: [25, 24, 23, 22, 21].map((i) => item(evm(i))),
  target_addresses: [1, 2, 3, 4, 5, 99].map((i) => item(evm(i))),
  token_addresses: [10, 11].map((i) => item(evm(i))),
};
const named = (detail: string, of = parts) => partsNamed(of, request, detail)?.map((part) => parts.indexOf(part) + 1);

test.each([
  ["user_addresses[1].address: bad checksum", [4]],
  ["in target_addresses[2]: empty address", [3]],
  ["unsupported chain (token_addresses[0])", [2, 4]],
  ["token_addresses[1] and target_addresses[0]", [1, 3, 5]],
])("the entries with the named item are found: %s", (detail, expected) => {
  expect(named(detail)).toEqual(expected);
});

test.each([
  ["no item", "invalid request"],
  ["a canary", "target_addresses[5]: bad"],
  ["an item that is not there", "target_addresses[6]: bad"],
  ["an absurd item", "target_addresses[12345]: bad"],
  ["another array", "addresses[1]: bad"],
  ["another array's end", "my_user_addresses[1]: bad"],
])("no entry is found when the refusal names %s", (_name, detail) => {
  expect(named(detail)).toBeUndefined();
});

test("no entry is found when all entries hold the named item, or when the request is unknown", () => {
  const odd = parts.filter((_, i) => i % 2 === 0);
  expect(named("token_addresses[1]", odd)).toBeUndefined();
  expect(partsNamed(parts, undefined, "target_addresses[0]")).toBeUndefined();
});

test("an item with the same address on another chain does not match", () => {
  const elsewhere = partAbout({ target: evm(1), chain: chainOf("56") });
  expect(partsNamed([elsewhere, ...parts], request, "target_addresses[0]")).toEqual(parts.slice(0, 1));
});

test("one named user among several is enough", () => {
  const several = partAbout({ target: evm(6), users: [evm(23), evm(26)] });

  expect(partsNamed([...parts, several], request, "user_addresses[2]")).toEqual([parts[2], several]);
});

test("all entries on a chain that the refusal calls unsupported are found, although it names one item or a canary", () => {
  const elsewhere = [6, 7].map((i) => partAbout({ target: evm(i), chain: chainOf("56") }));
  const all = [...parts, ...elsewhere];
  const refused = "the service answered 400: unsupported chainId: 56";
  expect(partsNamed(all, request, refused)).toEqual(elsewhere);
  expect(partsNamed(all, undefined, refused)).toEqual(elsewhere);
  expect(partsNamed(all, request, `target_addresses[5]: ${refused}`)).toEqual(elsewhere);
});

test.each([
  "unsupported chainId: 5",
  "unsupported chainId: 561",
  "unsupported chainId: ",
  "unsupported chainId 56",
  "1",
])("no entry is on an unsupported chain: %s", (detail) => {
  const elsewhere = partAbout({ target: evm(6), chain: chainOf("56") });
  expect(partsNamed([...parts, elsewhere], request, detail)).toBeUndefined();
});

test("all entries of a refused request may be on the unsupported chain", () => {
  expect(partsNamed(parts, request, "unsupported chainId: 1")).toEqual(parts);
});
