import { ALL_SIMULATED } from "../../contract/solana-emulate.ts";
import { simulationFindings } from "../../contract/solana-findings.ts";
import { quoted } from "./quoted.ts";
import { type Finding, ruleFor } from "./rule.ts";

/** Risk levels that lead to a finding; 0 and 1 do not. -1 is an address nobody knows, which is not a safe one. */
const risks = [
  { finding: "risk_high", fires: (level: number) => level >= 4, says: "high risk" },
  { finding: "risk_medium", fires: (level: number) => level === 2 || level === 3, says: "increasing risk" },
  { finding: "risk_unknown", fires: (level: number) => level === -1, says: "unknown to the service" },
] as const;

/**
 * Reads the summary, every result's error, every risk level and every finding (an extra that our own service gives), those
 * beside a failed transaction too. A result that neither failed nor has risks is unclear, not clean.
 */
export const simulationRule = ruleFor("solana-simulation", ({ exec_summary, results }, { table }) => {
  const severity = table.findings["solana-simulation"];
  const found: Finding[] = [];
  const errors = results.flatMap(({ error }) => (isText(error) ? [error] : []));
  const failed = exec_summary.result_code !== ALL_SIMULATED || errors.length > 0;
  if (failed) {
    const detail = `the simulation failed: ${errors.join(", ") || exec_summary.result_description}`;
    found.push({ finding: "simulation_failed", severity: severity.simulation_failed, detail });
  }
  const unclear = results.some(({ error, involved_addresses_risks }) => !isText(error) && !involved_addresses_risks);
  if (unclear || (results.length === 0 && !failed)) {
    found.push({ finding: "risks_missing", severity: "UNKNOWN", detail: "the answer holds no risk levels" });
  }
  for (const { address, risk_level } of results.flatMap((result) => result.involved_addresses_risks ?? [])) {
    for (const risk of risks) {
      if (!risk.fires(risk_level)) continue;
      const detail = `${address} has risk level ${risk_level}: ${risk.says}`;
      found.push({ finding: risk.finding, severity: severity[risk.finding], detail });
    }
  }
  for (const { name, description } of results.flatMap((result) => result.findings ?? [])) {
    const known = simulationFindings.find((each) => each === name);
    const detail = known === undefined ? `${quoted(name)}: ${quoted(description)}` : quoted(description);
    found.push({ finding: known ?? "other_finding", severity: severity[known ?? "other_finding"], detail });
  }
  return found;
});

function isText(value: unknown): value is string {
  return typeof value === "string";
}
