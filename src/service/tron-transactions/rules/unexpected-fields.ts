import type { TronRule } from "./rule.ts";

/** No signer writes them into the transaction, so what they say does not happen. */
export const unexpectedFields: TronRule = ({ operation, strays: around, type }) => {
  // What compilers add to an interface is no payload.
  const inside = (operation.strays ?? []).filter((path) => !path.startsWith("new_contract.abi."));
  const strays = [...around, ...inside];
  return strays.length === 0
    ? undefined
    : `fields that a transaction with ${type.slice(0, 60)} does not have: ${strays.slice(0, 5).join(", ").slice(0, 200)}`;
};
