import { ruleFor } from "./rule.ts";

/** The action that belongs to each score. Source: service-interface, "TRON transaction security". */
const actionByScore = ["ALLOW", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"] as const;

/** The service's own action, provided that it agrees with its score; otherwise nobody can tell which one is meant. */
export const tronSecurityRule = ruleFor("tron-security", ({ security }, { table }) => {
  const { recommended_action: action, overall_score: score, risk_details } = security;
  if (actionByScore[score] !== action) {
    const detail = `score ${score} does not go with the action ${action}`;
    return [{ finding: "inconsistent_answer", severity: "UNKNOWN", detail }];
  }
  const severity = table.findings["tron-security"];
  const names = risk_details.map(({ name, description }) => `${name}: ${description}`).join("; ");
  if (action === "BLOCK")
    return [{ finding: "action_block", severity: severity.action_block, detail: names || "no details" }];
  if (action === "WARN")
    return [{ finding: "action_warn", severity: severity.action_warn, detail: names || "no details" }];
  return risk_details.map(({ name, description }) => ({ finding: name, severity: "INFO", detail: description }));
});
