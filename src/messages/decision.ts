/** The decisions of a verdict, mildest first. The most severe finding decides. Only ALLOW releases funds. */
export const decisions = ["ALLOW", "WARN", "UNKNOWN", "BLOCK"] as const;
export type Decision = (typeof decisions)[number];

/** The severity of one finding. INFO gives a reason only; each other severity leads to the decision of its name. */
export const severities = ["INFO", "WARN", "UNKNOWN", "BLOCK"] as const;
export type Severity = (typeof severities)[number];

/** Precedence: BLOCK > UNKNOWN > WARN > ALLOW. Without a finding the decision is ALLOW. */
export function mostSevere(found: readonly { readonly severity: Severity }[]): Decision {
  let worst = 0;
  for (const { severity } of found) if (severity !== "INFO") worst = Math.max(worst, severities.indexOf(severity));
  return decisions[worst] ?? "UNKNOWN";
}
