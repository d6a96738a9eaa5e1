/** What a verdict says, mildest first; the most severe finding decides. Only ALLOW releases funds. */
export const decisions = ["ALLOW", "WARN", "UNKNOWN", "BLOCK"] as const;
export type Decision = (typeof decisions)[number];

/** What one finding asks for. INFO is a reason only; the others are the decision they lead to. */
export const severities = ["INFO", "WARN", "UNKNOWN", "BLOCK"] as const;
export type Severity = (typeof severities)[number];

/** Precedence BLOCK > UNKNOWN > WARN > ALLOW; no finding at all is ALLOW. */
export function mostSevere(found: readonly { readonly severity: Severity }[]): Decision {
  let worst = 0;
  for (const { severity } of found) if (severity !== "INFO") worst = Math.max(worst, severities.indexOf(severity));
  return decisions[worst] ?? "UNKNOWN";
}
