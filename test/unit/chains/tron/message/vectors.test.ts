import { TronWeb } from "tronweb";
import { expect, test } from "vitest";
import {
  contractTypeIds,
  isContractType,
  isUnsupportedType,
} from "../../../../../src/chains/tron/message/contract-types.ts";
import { tronVectors } from "../../../../support/tron-vectors.ts";

/** Methods of tronweb's builder that build no new transaction: they ask a node, change a transaction, or check one. */
const noBuilders = new Set([
  "constructor",
  "triggerConstantContract",
  "triggerConfirmedConstantContract",
  "estimateEnergy",
  "deployConstantContract",
  "checkPermissions",
  "newTxID",
  "alterTransaction",
  "extendExpiration",
  "addUpdateData",
]);

test("every builder of the library has its vector", () => {
  const { transactionBuilder } = new TronWeb({ fullHost: "http://127.0.0.1:1" });
  const builders = Object.getOwnPropertyNames(Object.getPrototypeOf(transactionBuilder)).filter(
    (name) => !noBuilders.has(name) && !name.startsWith("_"),
  );

  expect(builders.length).toBe(39);
  expect(builders.filter((name) => !tronVectors.some((vector) => vector.name.split(" ")[0] === name))).toEqual([]);
});

test("every type that is analysed has a vector", () => {
  const types = Object.keys(contractTypeIds).filter((type) => isContractType(type) && !isUnsupportedType(type));
  const shown = new Set(tronVectors.map(({ transaction }) => transaction.raw_data.contract[0]?.type));

  expect(types.filter((type) => !shown.has(type))).toEqual([]);
});
