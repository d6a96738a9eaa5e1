import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { type Finding, ruleFor } from "./rule.ts";

/** A code that gets the account is judged by an answer that names it, or by none: without its name an ALLOW clears nothing. */
function unreadFindings(unread: readonly string[] = []): readonly Finding[] {
  if (unread.length === 0) return [];
  const detail = `the answer does not name ${quoted(unread.join(", "), 200)}, which authorization_list lets act for the account: the service may have dropped the list`;
  return [{ finding: "delegation_unread", severity: "UNKNOWN", detail }];
}

/** What the service recommends about an EVM transaction, and what it says that it did not look at. */
export const evmSecurityRule = ruleFor("evm-security", ({ security, unread_delegates: unread }, { table }) => {
  const severity = table.findings["evm-security"];
  const found = [...actionFindings(security, severity), ...unreadFindings(unread)];
  const missing = security.not_analysed ?? [];
  if (missing.length === 0) return found;
  const detail = `the service did not look at: ${quoted(missing.join(", "))}`;
  return [...found, { finding: "not_analysed", severity: severity.not_analysed, detail }];
});
