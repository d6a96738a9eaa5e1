import { EFFECT_UNKNOWN } from "../../../api/schemas/transaction-security.ts";
import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { ruleFor } from "./rule.ts";

/** Listed for every transaction that no node executed. The operation itself was still analysed. */
const NOT_EXECUTED = "execution";

/**
 * The service's recommendation for a TRON transaction, and the parts that it could not determine. Any service can
 * report these parts by the finding. Weir's own service also reports them by its extra.
 */
export const tronSecurityRule = ruleFor("tron-security", ({ security }, { table }) => {
  const severity = table.findings["tron-security"];
  const found = actionFindings(security, severity);
  const open = [
    ...(security.not_analysed ?? []).filter((each) => each !== NOT_EXECUTED),
    ...security.risk_details.filter(({ name }) => name === EFFECT_UNKNOWN).map(({ description }) => description),
  ];
  if (open.length === 0) return found;
  const detail = `the service could not tell: ${quoted(open.join(", "))}`;
  return [...found, { finding: "not_analysed", severity: severity.not_analysed, detail }];
});
