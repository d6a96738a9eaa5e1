import type { TransactionSecurityResponse } from "../../api/schemas/transaction-security.ts";
import type { Score } from "../rules/rule-engine.ts";

type Security = TransactionSecurityResponse["data"]["security"];

/** The score table of the service's interface. Source: docs/decisions/0009-tron.md. */
const levels = {
  0: { overall_risk_level: "No Obvious Risk", recommended_action: "ALLOW" },
  1: { overall_risk_level: "Caution", recommended_action: "ALLOW" },
  2: { overall_risk_level: "Low Risk", recommended_action: "WARN" },
  3: { overall_risk_level: "Medium Risk", recommended_action: "WARN" },
  4: { overall_risk_level: "High Risk", recommended_action: "BLOCK" },
  5: { overall_risk_level: "Significant Risk", recommended_action: "BLOCK" },
} as const satisfies Record<Score | 0, Pick<Security, "overall_risk_level" | "recommended_action">>;

/** A finding of any chain's rules, with the score that it alone would give. */
interface Found {
  readonly name: string;
  readonly score: Score;
  readonly description: string;
}

/**
 * Renders findings that are sorted with the highest score first. The overall score is the highest score, because two
 * small risks are not one large risk.
 */
export function render(findings: readonly Found[]): Security {
  const score = findings[0]?.score ?? 0;
  return {
    overall_score: score,
    ...levels[score],
    risk_details: findings.map(({ name, description }) => ({ name, description })),
  };
}
