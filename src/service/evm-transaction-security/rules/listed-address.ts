import type { Finds } from "./rule.ts";

const listed =
  (kind: "malicious" | "sanctioned"): Finds =>
  ({ parties }) => {
    const found = parties.find((party) => party.listed.includes(kind));
    return found && `deals with ${found.address}, which is labelled as ${kind}`;
  };

export const maliciousAddress = listed("malicious");
export const sanctionedAddress = listed("sanctioned");
