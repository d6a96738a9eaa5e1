import type { TronRule } from "./rule.ts";

/** An address of the transaction is labelled as sanctioned. `listedAddresses` lists the roles that are checked. */
export const sanctionedAddress: TronRule = ({ listed }) => {
  const found = listed.filter(({ kind }) => kind === "sanctioned").map(({ address, as }) => `${address} (${as})`);
  return found.length === 0 ? undefined : `labelled as under sanctions: ${found.join(", ")}`;
};
