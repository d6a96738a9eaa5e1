import { expect, test } from "vitest";
import { contractMessages } from "../../../../../src/chains/tron/message/contract-messages.ts";
import {
  type ContractType,
  contractTypeIds,
  contractTypeOf,
  isContractType,
  isUnsupportedType,
} from "../../../../../src/chains/tron/message/contract-types.ts";

const types = Object.keys(contractTypeIds).filter(isContractType);
/** Ids between the protocol's ids that are no longer in use. */
const reserved = [7, 47, 50];

test("the protocol has 41 types, each with an id of its own", () => {
  expect(types).toHaveLength(41);
  expect(new Set(Object.values(contractTypeIds)).size).toBe(41);
});

test("ids and types map to each other, and reserved and higher ids map to nothing", () => {
  for (const type of types) expect(contractTypeOf(contractTypeIds[type])).toBe(type);
  for (const id of [...reserved, 21, 29, 34, 40, 60, 255, -1]) expect(contractTypeOf(id)).toBeUndefined();
});

test("every type but three has a payload with fields in ascending order", () => {
  const without = types.filter((type: ContractType) => !Object.hasOwn(contractMessages, type));

  expect(without).toEqual(["CustomContract", "GetContract", "ShieldedTransferContract"]);
  expect(types.filter(isUnsupportedType)).toEqual(without);
  for (const message of Object.values(contractMessages)) {
    const numbers = message.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(message.some(({ name }) => name === "owner_address")).toBe(true);
  }
});
