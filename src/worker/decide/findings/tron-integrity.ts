import type { TronIntegrityEvidence } from "../../../messages/evidence.ts";
import { type Finding, ruleFor } from "./rule.ts";

/** The meaning of each result for the person that is about to sign. */
const details = {
  id_differs: "its txID is not the hash of its own raw_data_hex: what is signed is not what is named",
  body_differs: "its raw_data_hex or txID belongs to another transaction than its raw_data shows",
  not_compared:
    "its raw_data holds what this program does not know, and cannot be compared with its raw_data_hex or txID",
} as const satisfies Partial<Record<TronIntegrityEvidence["integrity"], string>>;

/** A transaction that shows one thing and signs another deceives its reader, whatever else it does. */
export const tronIntegrityRule = ruleFor("tron-integrity", ({ integrity }, { table }): Finding[] => {
  if (integrity === "equal") return [];
  if (integrity === "not_claimed") {
    const detail = "it has neither raw_data_hex nor txID to compare with";
    return [{ finding: "not_claimed", severity: "INFO", detail }];
  }
  return [{ finding: integrity, severity: table.findings["tron-integrity"][integrity], detail: details[integrity] }];
});
