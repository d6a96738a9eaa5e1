import type { TokenSecurityData } from "../../contract/token-security.ts";
import { readEvidence } from "../../events/evidence.ts";
import type { PolicyTable } from "../../events/policy.ts";
import { quoted } from "./quoted.ts";
import { type Finding, ruleFor } from "./rule.ts";

type Row = keyof PolicyTable["findings"]["token-security"];
type Tax = "tax_extreme" | "tax_high";

/** What a sale or a transfer loses on the way, percent, from which on it counts. Chosen: half is as good as all. */
const taxes: readonly (readonly [from: number, Tax])[] = [
  [50, "tax_extreme"],
  [20, "tax_high"],
];

/** Decimal text, or nothing where nobody could measure. */
const decimal = /^(?:\d{1,20}(?:\.\d{1,40})?)?$/;

/** Where each flag stands in the answer. */
const rows = {
  is_honeypot: ["security_risks.is_honeypot", (d) => d.security_risks.is_honeypot],
  dev_malicious: ["privileges.dev_malicious", (d) => d.privileges.dev_malicious],
  hidden_owner: ["security_risks.hidden_owner", (d) => d.security_risks.hidden_owner],
  self_destruct: ["security_risks.self_destruct", (d) => d.security_risks.self_destruct],
  unlimited_mintable: ["security_risks.unlimited_mintable", (d) => d.security_risks.unlimited_mintable],
  transfer_pausable: ["transfer_restrictions.transfer_pausable", (d) => d.transfer_restrictions.transfer_pausable],
  transfer_blacklist: ["transfer_restrictions.transfer_blacklist", (d) => d.transfer_restrictions.transfer_blacklist],
  is_anti_whale: ["transfer_restrictions.is_anti_whale", (d) => d.transfer_restrictions.is_anti_whale],
} as const satisfies Record<Exclude<Row, Tax>, readonly [string, (data: TokenSecurityData) => "0" | "1"]>;

/** Whether an answer raises any of these flags, or tells of a tax that counts. */
export function isRaised(data: unknown): boolean {
  const read = readEvidence("token-security", data);
  if (read === undefined) return false;
  const { sell_tax, transfer_tax } = read.trade_analysis;
  return Object.values(rows).some(([, flag]) => flag(read) === "1") || [sell_tax, transfer_tax].some(isTaxed);
}

function isTaxed(percent: string): boolean {
  return decimal.test(percent) && taxRow(percent) !== undefined;
}

function taxRow(percent: string): Tax | undefined {
  return taxes.find(([from]) => Number(percent) >= from)?.[1];
}

/**
 * A flag that fired has its row's severity. A flag without evidence (`unknown`) is UNKNOWN where it would have counted. Of
 * several tokens each is looked at, and one without an answer is UNKNOWN.
 */
export const tokenSecurityRule = ruleFor("token-security", (data, { table }) => {
  const { others = [], unanswered = [] } = data;
  const isOne = others.length === 0 && unanswered.length === 0;
  const found = [data, ...others].flatMap((token) => findingsOf(token, table, isOne ? "" : ` of ${token.address}`));
  const missing = unanswered.map(
    ({ token, code, detail }): Finding => ({ finding: code, severity: "UNKNOWN", detail: `${token}: ${detail}` }),
  );
  return [...found, ...missing];
});

function findingsOf(data: TokenSecurityData, table: PolicyTable, whose: string): readonly Finding[] {
  const unknown = new Set(data.unknown ?? []);
  const found: Finding[] = [];
  for (const [finding, [path, flag]] of Object.entries(rows)) {
    const severity = table.findings["token-security"][finding as keyof typeof rows];
    if (flag(data) === "1") found.push({ finding, severity, detail: `${path}${whose} is '1'` });
    else if (unknown.has(path) || unknown.has(finding)) {
      found.push({
        finding,
        severity: severity === "INFO" ? "INFO" : "UNKNOWN",
        detail: `the service has no evidence on ${path}${whose}`,
      });
    }
  }
  return [...found, ...taxOf(data, table, whose), ...unratedOf(data, unknown.size, whose)];
}

/**
 * An answer without an overall result, that does not name what is unknown, is no clean one. An address without code gets
 * such: each flag is '0', since nothing was detected, and each number is empty.
 */
function unratedOf(data: TokenSecurityData, unknowns: number, whose: string): readonly Finding[] {
  const [level, score] = [data.overall_risk_level.trim().toLowerCase(), data.overall_score.trim()];
  if (level !== "unknown" && (level !== "" || score !== "" || unknowns > 0)) return [];
  const detail = `the service has no overall result${whose}: overall_risk_level is '${quoted(data.overall_risk_level)}', overall_score is '${quoted(data.overall_score)}'`;
  return [{ finding: "unrated", severity: "UNKNOWN", detail }];
}

/** A tax that nobody could measure says nothing here: whether the token can be sold at all is `is_honeypot`. */
function taxOf({ trade_analysis: trade }: TokenSecurityData, table: PolicyTable, whose: string): readonly Finding[] {
  const parts = [["sell_tax", trade.sell_tax] as const, ["transfer_tax", trade.transfer_tax] as const];
  return parts.flatMap(([name, percent]): readonly Finding[] => {
    const said = `trade_analysis.${name}${whose} is '${quoted(percent)}'`;
    if (!decimal.test(percent)) {
      const counts = taxes.some(([, row]) => table.findings["token-security"][row] !== "INFO");
      const severity = counts ? "UNKNOWN" : "INFO";
      return [{ finding: "tax_extreme", severity, detail: `${said}, which is no percentage` }];
    }
    const finding = taxRow(percent);
    if (finding === undefined) return [];
    return [{ finding, severity: table.findings["token-security"][finding], detail: `${said}, in percent` }];
  });
}
