import type { TronRule } from "./rule.ts";

/** Signers do not write unknown fields into the transaction, so these fields have no effect. */
export const unexpectedFields: TronRule = ({ operation, strays: around, type }) => {
  // Compilers add fields to an ABI, which are no payload.
  const inside = (operation.strays ?? []).filter((path) => !path.startsWith("new_contract.abi."));
  const strays = [...around, ...inside];
  return strays.length === 0
    ? undefined
    : `fields that a transaction with ${type.slice(0, 60)} does not have: ${strays.slice(0, 5).join(", ").slice(0, 200)}`;
};
