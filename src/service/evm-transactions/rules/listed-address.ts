import { accusationText } from "../../labels/standing.ts";
import type { EvmRule } from "./rule.ts";

const listed =
  (as: "malicious" | "sanctioned"): EvmRule =>
  ({ listed: found }) => {
    for (const { address, accusations } of found) {
      const accusation = accusations.find((each) => each.as === as);
      if (accusation !== undefined) return `deals with ${address}, which is labelled as ${accusationText(accusation)}`;
    }
    return undefined;
  };

export const maliciousAddress = listed("malicious");
export const sanctionedAddress = listed("sanctioned");
