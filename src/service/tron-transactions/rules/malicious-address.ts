import type { TronRule } from "./rule.ts";

/**
 * An address of the transaction is labelled as malicious, blocked or high risk. `listedAddresses` lists the roles that
 * are checked.
 */
export const maliciousAddress: TronRule = ({ listed }) => {
  const found = Map.groupBy(
    listed.filter(({ kind }) => kind === "malicious"),
    ({ label }) => label,
  );
  const texts = [...found].map(
    ([label, addresses]) =>
      `labelled as ${label}: ${addresses.map(({ address, as }) => `${address} (${as})`).join(", ")}`,
  );
  return texts.length === 0 ? undefined : texts.join("; ");
};
