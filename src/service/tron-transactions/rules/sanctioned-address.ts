import type { TronRule } from "./rule.ts";

/** An address of the transaction is labelled as sanctioned: the owner's, the one who gains, the contract, or a key. */
export const sanctionedAddress: TronRule = ({ listed }) => {
  const found = listed.filter(({ kind }) => kind === "sanctioned").map(({ address, as }) => `${address} (${as})`);
  return found.length === 0 ? undefined : `labelled as under sanctions: ${found.join(", ")}`;
};
