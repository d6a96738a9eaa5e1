import type { Finds } from "./rule.ts";

/** No signer writes them into the transaction, so what they say does not happen. */
export const unexpectedFields: Finds = ({ operation }) => {
  // What compilers add to an interface is no payload.
  const strays = (operation?.strays ?? []).filter((path) => !path.startsWith("new_contract.abi."));
  return strays.length === 0
    ? undefined
    : `fields that ${operation?.type} does not have: ${strays.slice(0, 5).join(", ").slice(0, 200)}`;
};
