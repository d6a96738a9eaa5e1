import type { Finds } from "./rule.ts";

/** An address of the transaction is labelled as malicious: the owner's, the one who gains, the contract, or a key. */
export const maliciousAddress: Finds = ({ listed }) => {
  const found = listed.filter(({ kind }) => kind === "malicious").map(({ address, as }) => `${address} (${as})`);
  return found.length === 0 ? undefined : `labelled as malicious: ${found.join(", ")}`;
};
