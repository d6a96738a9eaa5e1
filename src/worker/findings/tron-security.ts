import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { ruleFor } from "./rule.ts";

/**
 * Said of every transaction that no node was asked about: what an operation says of itself was analysed all the same. What
 * else the service names it has no answer to.
 */
const NOT_EXECUTED = "execution";

/** What the service recommends about a TRON transaction, and what of it the service could not tell. */
export const tronSecurityRule = ruleFor("tron-security", ({ security }, { table }) => {
  const severity = table.findings["tron-security"];
  const found = actionFindings(security, severity);
  const open = (security.not_analysed ?? []).filter((each) => each !== NOT_EXECUTED);
  if (open.length === 0) return found;
  const detail = `the service could not tell: ${quoted(open.join(", "))}`;
  return [...found, { finding: "not_analysed", severity: severity.not_analysed, detail }];
});
