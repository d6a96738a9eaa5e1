import type { TokenSecurityData } from "../../contract/token-security.ts";
import type { PolicyTable } from "../../events/policy.ts";
import { type Finding, ruleFor } from "./rule.ts";

type Row = keyof PolicyTable["findings"]["token-security"];

/** Where each finding stands in the answer. */
const rows = {
  is_honeypot: ["security_risks.is_honeypot", (d) => d.security_risks.is_honeypot],
  dev_malicious: ["privileges.dev_malicious", (d) => d.privileges.dev_malicious],
  hidden_owner: ["security_risks.hidden_owner", (d) => d.security_risks.hidden_owner],
  self_destruct: ["security_risks.self_destruct", (d) => d.security_risks.self_destruct],
  unlimited_mintable: ["security_risks.unlimited_mintable", (d) => d.security_risks.unlimited_mintable],
  transfer_pausable: ["transfer_restrictions.transfer_pausable", (d) => d.transfer_restrictions.transfer_pausable],
  transfer_blacklist: ["transfer_restrictions.transfer_blacklist", (d) => d.transfer_restrictions.transfer_blacklist],
  is_anti_whale: ["transfer_restrictions.is_anti_whale", (d) => d.transfer_restrictions.is_anti_whale],
} as const satisfies Record<Row, readonly [string, (data: TokenSecurityData) => "0" | "1"]>;

/** A flag that fired has its row's severity. A flag without evidence (`unknown`) is UNKNOWN where it would have counted. */
export const tokenSecurityRule = ruleFor("token-security", (data, { table }) => {
  const unknown = new Set(data.unknown ?? []);
  const found: Finding[] = [];
  for (const [finding, [path, flag]] of Object.entries(rows)) {
    const severity = table.findings["token-security"][finding as Row];
    if (flag(data) === "1") found.push({ finding, severity, detail: `${path} is '1'` });
    else if (unknown.has(path) || unknown.has(finding)) {
      found.push({
        finding,
        severity: severity === "INFO" ? "INFO" : "UNKNOWN",
        detail: `the service has no evidence on ${path}`,
      });
    }
  }
  return found;
});
