import { ALL_SIMULATED } from "../../contract/solana-emulate.ts";
import { type Finding, ruleFor } from "./rule.ts";

/** Risk levels that lead to a finding; 0 and 1 do not. -1 is an address nobody knows, which is not a safe one. */
const risks = [
  { finding: "risk_high", fires: (level: number) => level >= 4, says: "high risk" },
  { finding: "risk_medium", fires: (level: number) => level === 2 || level === 3, says: "increasing risk" },
  { finding: "risk_unknown", fires: (level: number) => level === -1, says: "unknown to the service" },
] as const;

/** Reads the summary, every result's error and every risk level; a result without risks is unclear, not clean. */
export const simulationRule = ruleFor("solana-simulation", ({ exec_summary, results }, { table }) => {
  const severity = table.findings["solana-simulation"];
  const found: Finding[] = [];
  const errors = results.flatMap(({ error }) => (typeof error === "string" ? [error] : []));
  if (exec_summary.result_code !== ALL_SIMULATED || errors.length > 0) {
    const detail = `the simulation failed: ${errors.join(", ") || exec_summary.result_description}`;
    return [{ finding: "simulation_failed", severity: severity.simulation_failed, detail }];
  }
  if (results.length === 0 || results.some(({ involved_addresses_risks }) => involved_addresses_risks === undefined)) {
    found.push({ finding: "risks_missing", severity: "UNKNOWN", detail: "the answer holds no risk levels" });
  }
  for (const { address, risk_level } of results.flatMap((result) => result.involved_addresses_risks ?? [])) {
    for (const risk of risks) {
      if (!risk.fires(risk_level)) continue;
      const detail = `${address} has risk level ${risk_level}: ${risk.says}`;
      found.push({ finding: risk.finding, severity: severity[risk.finding], detail });
    }
  }
  return found;
});
