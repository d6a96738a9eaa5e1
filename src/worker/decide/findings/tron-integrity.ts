import type { TronIntegrityEvidence } from "../../../messages/evidence.ts";
import { type Finding, ruleFor } from "./rule.ts";

/** The meaning of each result for the person that is about to sign. */
const details = {
  id_differs:
    "the txID is not the hash of the raw_data_hex: the signature covers another transaction than the event shows",
  body_differs: "the raw_data_hex or the txID belongs to another transaction than the raw_data shows",
  not_compared:
    "the raw_data holds fields that Weir does not know, so Weir cannot compare the raw_data with the raw_data_hex or the txID",
} as const satisfies Partial<Record<TronIntegrityEvidence["integrity"], string>>;

/** A transaction that shows one thing and signs another deceives its reader, whatever else it does. */
export const tronIntegrityRule = ruleFor("tron-integrity", ({ integrity }, { table }): Finding[] => {
  if (integrity === "equal") return [];
  if (integrity === "not_claimed") {
    const detail = "the transaction has neither raw_data_hex nor txID to compare with";
    return [{ finding: "not_claimed", severity: "INFO", detail }];
  }
  return [{ finding: integrity, severity: table.findings["tron-integrity"][integrity], detail: details[integrity] }];
});
