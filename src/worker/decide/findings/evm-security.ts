import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { type Finding, ruleFor } from "./rule.ts";

/**
 * Code that gains control of the account must be named in the answer. Without its name, an ALLOW does not cover that
 * code.
 */
function unreadFindings(unread: readonly string[] = []): readonly Finding[] {
  if (unread.length === 0) return [];
  const detail = `the answer does not name ${quoted(unread.join(", "), 200)}, which authorization_list lets act for the account: the service may have dropped the list`;
  return [{ finding: "delegation_unread", severity: "UNKNOWN", detail }];
}

/** The service's recommendation for an EVM transaction, and the parts that it did not analyse. */
export const evmSecurityRule = ruleFor("evm-security", ({ security, unread_delegates: unread }, { table }) => {
  const severity = table.findings["evm-security"];
  const found = [...actionFindings(security, severity), ...unreadFindings(unread)];
  const missing = security.not_analysed ?? [];
  if (missing.length === 0) return found;
  const detail = `the service did not look at: ${quoted(missing.join(", "))}`;
  return [...found, { finding: "not_analysed", severity: severity.not_analysed, detail }];
});
