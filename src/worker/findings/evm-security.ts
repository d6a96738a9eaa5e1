import { quoted } from "./quoted.ts";
import { actionFindings } from "./recommended-action.ts";
import { ruleFor } from "./rule.ts";

/** What the service recommends about an EVM transaction, and what it says that it did not look at. */
export const evmSecurityRule = ruleFor("evm-security", ({ security }, { table }) => {
  const severity = table.findings["evm-security"];
  const found = actionFindings(security, severity);
  const missing = security.not_analysed ?? [];
  if (missing.length === 0) return found;
  const detail = `the service did not look at: ${quoted(missing.join(", "))}`;
  return [...found, { finding: "not_analysed", severity: severity.not_analysed, detail }];
});
