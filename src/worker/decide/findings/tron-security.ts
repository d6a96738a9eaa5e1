import { EFFECT_UNKNOWN } from "../../../api/schemas/transaction-security.ts";
import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { ruleFor } from "./rule.ts";

/** Named for every transaction that no node ran; the operation itself was analysed all the same. */
const NOT_EXECUTED = "execution";

/**
 * What the service recommends about a TRON transaction, and what the service could not determine: by the finding that any
 * service of the interface can give, and by the extra of our own.
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
