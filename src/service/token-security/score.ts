import type { TokenSecurityData } from "../../api/schemas/token-security.ts";

/** The levels by score, 0 to 5: the scale that the interface shows for TRON transactions. */
export const levels = [
  "No Obvious Risk",
  "Caution",
  "Low Risk",
  "Medium Risk",
  "High Risk",
  "Significant Risk",
] as const;

type Scored = Pick<
  TokenSecurityData,
  "basic_info" | "privileges" | "security_risks" | "transfer_restrictions" | "trade_analysis" | "threat_intelligence"
>;

/** Tax thresholds in percent, with the score from each threshold on. Chosen. */
const taxes: readonly (readonly [percent: number, score: number])[] = [
  [50, 5],
  [20, 3],
  [1, 1],
];

/** The score of each flag alone. The highest score counts. docs/token-security.md shows the table. */
const rows: readonly (readonly [name: string, score: number, holds: (data: Scored) => boolean])[] = [
  ["security_risks.is_honeypot", 5, ({ security_risks: risks }) => risks.is_honeypot === "1"],
  ["privileges.dev_malicious", 5, ({ privileges }) => privileges.dev_malicious === "1"],
  ["security_risks.hidden_owner", 3, ({ security_risks: risks }) => risks.hidden_owner === "1"],
  ["security_risks.self_destruct", 3, ({ security_risks: risks }) => risks.self_destruct === "1"],
  ["security_risks.unlimited_mintable", 3, ({ security_risks: risks }) => risks.unlimited_mintable === "1"],
  ["transfer_restrictions.transfer_blacklist", 1, ({ transfer_restrictions: t }) => t.transfer_blacklist === "1"],
  ["transfer_restrictions.transfer_pausable", 1, ({ transfer_restrictions: t }) => t.transfer_pausable === "1"],
  ["transfer_restrictions.is_anti_whale", 1, ({ transfer_restrictions: t }) => t.is_anti_whale === "1"],
  ["basic_info.is_mintable", 1, ({ basic_info: basic }) => basic.is_mintable === "1"],
];

/**
 * Flags with at least this score are decisive. While a decisive flag is unknown, a lower score would claim too much.
 */
const DECISIVE = 3;
const WORST = 5;

/**
 * The score, 0 to 5. Undefined when an unknown field could make the score worse than the known ones do. `unknown` holds
 * the names of the fields without evidence.
 */
export function scoreOf(data: Scored, unknown: ReadonlySet<string>): number | undefined {
  const found = rows.filter(([, , holds]) => holds(data)).map(([, score]) => score);
  const ofTax = Math.max(taxScore(data.trade_analysis.sell_tax), taxScore(data.trade_analysis.transfer_tax));
  const label = Number(data.threat_intelligence.risk_level);
  const score = Math.min(WORST, Math.max(0, ofTax, label, ...found));
  const hidden = rows.some(([name, worst]) => worst >= DECISIVE && worst > score && unknown.has(name));
  return hidden ? undefined : score;
}

function taxScore(percent: string): number {
  const tax = percent === "" ? 0 : Number(percent);
  return taxes.find(([from]) => tax >= from)?.[1] ?? 0;
}
