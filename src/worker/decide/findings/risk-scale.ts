import type { Severity } from "../../../messages/decision.ts";

/**
 * Levels by score, 0 to 5, with their meaning. Source: docs/decisions/0001-open-points.md, the table of "TRON
 * transaction security".
 */
export const riskScale: readonly (readonly [level: string, meaning: Severity])[] = [
  ["no obvious risk", "INFO"],
  ["caution", "INFO"],
  ["low risk", "WARN"],
  ["medium risk", "WARN"],
  ["high risk", "BLOCK"],
  ["significant risk", "BLOCK"],
];

/** The score of a level of `riskScale`, in any case. Undefined for any other text. */
export function scoreOfLevel(level: string): number | undefined {
  const word = level.trim().toLowerCase();
  const score = riskScale.findIndex(([name]) => name === word);
  return score < 0 ? undefined : score;
}
