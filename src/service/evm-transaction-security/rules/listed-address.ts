import { accusationText } from "../../labels/standing.ts";
import type { Finds } from "./rule.ts";

const listed =
  (as: "malicious" | "sanctioned"): Finds =>
  ({ parties }) => {
    for (const { address, accusations } of parties) {
      const found = accusations.find((each) => each.as === as);
      if (found !== undefined) return `deals with ${address}, which is labelled as ${accusationText(found)}`;
    }
    return undefined;
  };

export const maliciousAddress = listed("malicious");
export const sanctionedAddress = listed("sanctioned");
