import type { TransactionSecurityResponse } from "../../../api/schemas/transaction-security.ts";
import type { Severity } from "../../../messages/decision.ts";
import { quoted } from "./quoted.ts";
import { scoreOfLevel } from "./risk-scale.ts";
import type { Finding } from "./rule.ts";

type Security = TransactionSecurityResponse["data"]["security"];

/** The action that belongs to each score. Source: docs/decisions/0001-open-points.md, "TRON transaction security". */
const actionByScore = ["ALLOW", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"] as const;
/** Longest description that is repeated, characters: as much as a reason may say. */
const MAX_DESCRIPTION = 2_000;

/**
 * The service's own action, provided that it agrees with its score, and its level with that; otherwise nobody can tell which
 * is meant. A level that is none of the interface says nothing.
 */
export function actionFindings(
  { recommended_action: action, overall_score: score, overall_risk_level: level, risk_details }: Security,
  severity: { readonly action_block: Severity; readonly action_warn: Severity },
): Finding[] {
  if (actionByScore[score] !== action) {
    const detail = `score ${score} does not go with the action ${action}`;
    return [{ finding: "inconsistent_answer", severity: "UNKNOWN", detail }];
  }
  if ((scoreOfLevel(level) ?? score) !== score) {
    const detail = `score ${score} does not go with the level '${quoted(level)}'`;
    return [{ finding: "inconsistent_answer", severity: "UNKNOWN", detail }];
  }
  const details = risk_details.map(({ name, description }) => ({
    finding: quoted(name),
    detail: quoted(description, MAX_DESCRIPTION),
  }));
  const names = details.map(({ finding, detail }) => `${finding}: ${detail}`).join("; ");
  if (action === "BLOCK")
    return [{ finding: "action_block", severity: severity.action_block, detail: names || "no details" }];
  if (action === "WARN")
    return [{ finding: "action_warn", severity: severity.action_warn, detail: names || "no details" }];
  return details.map((each) => ({ ...each, severity: "INFO" }));
}
