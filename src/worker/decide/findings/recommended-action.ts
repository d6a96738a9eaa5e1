import type { TransactionSecurityResponse } from "../../../api/schemas/transaction-security.ts";
import type { Severity } from "../../../messages/decision.ts";
import { quoted } from "./quoted.ts";
import { scoreOfLevel } from "./risk-scale.ts";
import type { Finding } from "./rule.ts";

type Security = TransactionSecurityResponse["data"]["security"];

/** The action for each score. Source: docs/decisions/0001-open-points.md, "TRON transaction security". */
const actionByScore = ["ALLOW", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"] as const;
/** Longest description that a reason repeats, characters. Equal to the limit of a reason. */
const MAX_DESCRIPTION = 2_000;

/**
 * The service's action, if its score and its level agree with it. Otherwise the answer is ambiguous. A level outside
 * the interface is ignored.
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
