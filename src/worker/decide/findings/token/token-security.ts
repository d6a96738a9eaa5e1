import type { TokenSecurityData } from "../../../../api/schemas/token-security.ts";
import { readEvidence, type TokenAnswer } from "../../../../messages/evidence.ts";
import type { PolicyTable } from "../../../../policy/policy.ts";
import { quoted } from "../quoted.ts";
import { type Finding, ruleFor } from "../rule.ts";
import { noTokenFindings } from "./no-token.ts";
import { figureFindings } from "./token-figures.ts";
import { isLevelRaised, levelFindings, saysUnknown } from "./token-levels.ts";

type Tax = "tax_extreme" | "tax_high";

/** Loss in a sale or a transfer from which a tax counts, percent. Chosen: to lose half is as bad as to lose all. */
const taxes: readonly (readonly [from: number, Tax])[] = [
  [50, "tax_extreme"],
  [20, "tax_high"],
];

/** Decimal text. Empty where the tax could not be measured. */
const decimal = /^(?:\d{1,20}(?:\.\d{1,40})?)?$/;

/** The path and the value of each flag in the answer. */
const rows = {
  is_honeypot: ["security_risks.is_honeypot", (d) => d.security_risks.is_honeypot],
  dev_malicious: ["privileges.dev_malicious", (d) => d.privileges.dev_malicious],
  hidden_owner: ["security_risks.hidden_owner", (d) => d.security_risks.hidden_owner],
  self_destruct: ["security_risks.self_destruct", (d) => d.security_risks.self_destruct],
  unlimited_mintable: ["security_risks.unlimited_mintable", (d) => d.security_risks.unlimited_mintable],
  transfer_pausable: ["transfer_restrictions.transfer_pausable", (d) => d.transfer_restrictions.transfer_pausable],
  transfer_blacklist: ["transfer_restrictions.transfer_blacklist", (d) => d.transfer_restrictions.transfer_blacklist],
  is_anti_whale: ["transfer_restrictions.is_anti_whale", (d) => d.transfer_restrictions.is_anti_whale],
} as const satisfies Record<string, readonly [string, (data: TokenSecurityData) => "0" | "1"]>;

/** Flags that describe a token without accusing it: path, value in the answer, and the value that counts. */
const notes = {
  is_mintable: ["basic_info.is_mintable", (d) => d.basic_info.is_mintable, "1"],
  not_verified: ["basic_info.verified", (d) => d.basic_info.verified, "0"],
  not_in_dex: ["basic_info.is_in_dex", (d) => d.basic_info.is_in_dex, "0"],
} as const satisfies Record<string, readonly [string, (data: TokenSecurityData) => "0" | "1", "0" | "1"]>;

/** Whether an answer raises an accusing flag, states a tax that counts, or states a level that means harm. */
export function isRaised(data: unknown): boolean {
  const read = readEvidence("token-security", data);
  if (read === undefined) return false;
  if (Object.values(rows).some(([, flag]) => flag(read) === "1")) return true;
  const { sell_tax, transfer_tax } = read.trade_analysis;
  return [sell_tax, transfer_tax].some((tax) => isTaxed(tax, read)) || isLevelRaised(read);
}

function isTaxed(tax: string, data: TokenAnswer): boolean {
  const percent = decimal.test(tax) ? percentOf(Number(tax), data) : undefined;
  return percent !== undefined && taxRow(percent) !== undefined;
}

function taxRow(percent: number): Tax | undefined {
  return taxes.find(([from]) => percent >= from)?.[1];
}

/**
 * A raised flag has the severity of its row. A flag without evidence (`unknown`) is UNKNOWN if it would have counted.
 * With several tokens each is judged, and a token without an answer is UNKNOWN.
 */
export const tokenSecurityRule = ruleFor("token-security", (data, { table }) => {
  const { others = [], unanswered = [] } = data;
  const isOne = others.length === 0 && unanswered.length === 0;
  const found = [data, ...others].flatMap((token) => findingsOf(token, table, isOne ? "" : ` of ${token.address}`));
  const missing = unanswered.map(
    ({ token, code, detail }): Finding => ({
      finding: quoted(code),
      severity: "UNKNOWN",
      detail: `${token}: ${detail}`,
    }),
  );
  return [...found, ...missing];
});

function findingsOf(data: TokenAnswer, table: PolicyTable, whose: string): readonly Finding[] {
  const unknown = new Set(data.unknown ?? []);
  const severities = table.findings["token-security"];
  const found: Finding[] = [];
  for (const [finding, [path, flag]] of Object.entries(rows)) {
    const severity = severities[finding as keyof typeof rows];
    if (flag(data) === "1") found.push({ finding, severity, detail: `${path}${whose} is '1'` });
    else if (unknown.has(path) || unknown.has(finding)) {
      found.push({
        finding,
        severity: severity === "INFO" ? "INFO" : "UNKNOWN",
        detail: `the service has no evidence on ${path}${whose}`,
      });
    }
  }
  for (const [finding, [path, flag, value]] of Object.entries(notes)) {
    if (flag(data) !== value || unknown.has(path)) continue;
    found.push({
      finding,
      severity: severities[finding as keyof typeof notes],
      detail: `${path}${whose} is '${value}'`,
    });
  }
  return [
    ...found,
    ...levelFindings(data, severities, whose),
    ...noTokenFindings(data, severities, whose),
    ...figureFindings(data, severities, whose),
    ...taxOf(data, table, whose),
  ];
}

/** An unmeasured tax has no finding: `is_honeypot` says whether the token can be sold at all. */
function taxOf(data: TokenAnswer, table: PolicyTable, whose: string): readonly Finding[] {
  const { trade_analysis: trade } = data;
  const parts = [["sell_tax", trade.sell_tax] as const, ["transfer_tax", trade.transfer_tax] as const];
  const rowsOfTax = table.findings["token-security"];
  const unclear = taxes.some(([, row]) => rowsOfTax[row] !== "INFO") ? "UNKNOWN" : "INFO";
  return parts.flatMap(([name, text]): readonly Finding[] => {
    const said = `trade_analysis.${name}${whose} is '${quoted(text)}'`;
    if (!decimal.test(text))
      return [{ finding: "tax_extreme", severity: unclear, detail: `${said}, which is no number` }];
    const percent = percentOf(Number(text), data);
    if (percent === undefined) {
      const detail = `${said}: a fraction or percent; say which in SERVICE_TAXES`;
      return [{ finding: "tax_extreme", severity: unclear, detail }];
    }
    const finding = taxRow(percent);
    return finding === undefined
      ? []
      : [{ finding, severity: rowsOfTax[finding], detail: `${said}: ${percent} percent` }];
  });
}

/**
 * A tax in percent. The interface shows no unit, so the operator's setting decides. Weir's own service gives percent.
 * For other services a tax above 1 cannot be a fraction. A tax up to 1 is ambiguous, and the result is undefined.
 */
function percentOf(tax: number, data: TokenAnswer): number | undefined {
  const unit = data.read_by?.taxes ?? (saysUnknown(data) ? "percent" : undefined);
  if (unit === "fraction") return Math.round(tax * 10_000) / 100;
  return unit === "percent" || tax === 0 || tax > 1 ? tax : undefined;
}
