import type { TronRule } from "./rule.ts";

/** An address is labelled as malicious, blocked or of a high risk: the owner's, the one who gains, the contract, or a key. */
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
