import { EFFECT_UNKNOWN, type TransactionSecurityResponse } from "../../../api/schemas/transaction-security.ts";
import type { OwnPartiesEvidence } from "../../../messages/evidence.ts";
import { isExcused } from "../tron-judge/excused-grounds.ts";
import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { type Finding, ruleFor } from "./rule.ts";

type Security = TransactionSecurityResponse["data"]["security"];

/** Listed for every transaction that no node executed. The operation itself was still analysed. */
const NOT_EXECUTED = "execution";

/**
 * The service's recommendation for a TRON transaction, and the parts that it could not determine. Any service can
 * report these parts by the finding. Weir's own service also reports them by its extra.
 */
export const tronSecurityRule = ruleFor("tron-security", ({ security, own_parties: own }, { table }) => {
  const severity = table.findings["tron-security"];
  const found = actionFindings(security, severity).map((finding) => ofOwnParties(finding, security, own));
  const open = [
    ...(security.not_analysed ?? []).filter((each) => each !== NOT_EXECUTED),
    ...security.risk_details.filter(({ name }) => name === EFFECT_UNKNOWN).map(({ description }) => description),
  ];
  if (open.length === 0) return found;
  const detail = `the service could not tell: ${quoted(open.join(", "))}`;
  return [...found, { finding: "not_analysed", severity: severity.not_analysed, detail }];
});

/** A service cannot know the user's own addresses, so it calls them strangers. The worker knows them. */
function ofOwnParties(finding: Finding, security: Security, own: OwnPartiesEvidence | undefined): Finding {
  const isAdvice = finding.finding === "action_block" || finding.finding === "action_warn";
  if (own === undefined || !isAdvice || !isExcused(security, own)) return finding;
  const detail = `${own.own.join(", ")} (${own.role}) belongs to the user by user_addresses, and the service had no other ground: ${finding.detail}`;
  // user_addresses also name counterparties, and a key is more than a payment. So keys keep a warning.
  return { finding: "own_address", severity: own.role === "keys" ? "WARN" : "INFO", detail };
}
