import { isNativeCoin } from "../../../api/schemas/native-coin.ts";
import { ALL_SIMULATED, UNKNOWN_RISK } from "../../../api/schemas/solana-emulate.ts";
import { simulationFindings } from "../../../api/schemas/solana-findings.ts";
import { isStandardProgram, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { type EvidenceOf, type explainedFindings, workerSimulationFindings } from "../../../messages/evidence.ts";
import { quoted } from "./quoted.ts";
import { type Finding, ruleFor } from "./rule.ts";

/** Risk levels with a finding. Levels 0 and 1 have none. */
const risks = [
  { finding: "risk_high", fires: (level: number) => level >= 4, says: "high risk" },
  { finding: "risk_medium", fires: (level: number) => level === 2 || level === 3, says: "increasing risk" },
] as const;

/** Longest description of the worker's own findings in a reason, characters. Equal to the limit of a reason. */
const MAX_OWN_DESCRIPTION = 2_000;

const names = [...simulationFindings, ...workerSimulationFindings];

/**
 * Reads the summary, every error, every risk level and every finding, also beside a failed transaction. Findings are an
 * extra of Weir's own service. Without them the worker's own findings are read. A result without an error and without
 * risk levels is unclear, not clean.
 */
export const simulationRule = ruleFor(
  "solana-simulation",
  ({ exec_summary, results, worker_findings, worker_explanations = [] }, { table }) => {
    const severity = table.findings["solana-simulation"];
    const found: Finding[] = [];
    const errors = results.flatMap(({ error }) => (isText(error) ? [error] : []));
    const { result_code, result_description, error_data } = exec_summary;
    const failed = result_code !== ALL_SIMULATED || error_data !== null || errors.length > 0;
    if (failed) {
      const summary = result_code === ALL_SIMULATED ? error_data : result_description;
      const detail = `the simulation failed: ${errors.join(", ") || summary}`;
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
      if (risk_level !== UNKNOWN_RISK) continue;
      const finding = unknownRisk(address, results);
      const detail = `${address} has risk level ${risk_level}: unknown to the service`;
      found.push({ finding, severity: severity[finding], detail });
    }
    const named = results.flatMap(({ findings = [] }) => findings);
    const own: readonly Named[] = worker_findings ?? foundNothing(results);
    const said = [
      ...named.map((each) => ({ each, name: each.name, text: quoted(each.description) })),
      ...own.map((each) => ({ each, name: each.name, text: quoted(each.description, MAX_OWN_DESCRIPTION) })),
    ];
    for (const { each, name, text } of said) {
      const explained = explainedAs(each, worker_explanations, table.limits["solana-simulation"].small_share_percent);
      if (explained !== undefined) {
        const { finding, because } = explained;
        found.push({ finding, severity: severity[finding], detail: `${name}: ${text}; ${because}` });
        continue;
      }
      const known = names.find((each) => each === name);
      const detail = known === undefined ? `${quoted(name)}: ${text}` : text;
      found.push({ finding: known ?? "other_finding", severity: severity[known ?? "other_finding"], detail });
    }
    return found;
  },
);

type Results = EvidenceOf<"solana-simulation">["results"];
type Explanations = NonNullable<EvidenceOf<"solana-simulation">["worker_explanations"]>;

/** A finding of the service or of the worker. */
interface Named {
  readonly name: string;
  readonly description: string;
  readonly account?: string | undefined;
  readonly gains?: string | undefined;
}

const BASIS_POINTS = 100;

/** The name of a finding that is ordinary for the event, with the reason in words. The policy limits the shares. */
function explainedAs(
  { name, account, gains }: Named,
  explanations: Explanations,
  percent: number,
): { readonly finding: (typeof explainedFindings)[number]; readonly because: string } | undefined {
  const explanation = explanations.find(
    (each) => each.name === name && each.account === account && each.gains === gains,
  );
  switch (explanation?.by) {
    case undefined:
      return undefined;
    case "own_address":
      return { finding: "to_own_address", because: "the event names the recipient as the user's own" };
    case "own_nonce":
      return { finding: "own_durable_nonce", because: "the event names the nonce as the user's own" };
    case "small_shares": {
      const { share_bps = Number.POSITIVE_INFINITY } = explanation;
      if (share_bps > percent * BASIS_POINTS) return undefined;
      return {
        finding: "small_shares_leave",
        because: `the shares of what is held add up to ${share_bps / BASIS_POINTS} %`,
      };
    }
  }
}

/**
 * A program or token that the service does not know may do anything. The worker knows the network's own programs. A
 * token that the transaction creates can be in no database.
 */
function unknownRisk(address: string, results: Results) {
  const isCalled = results.some(
    ({ called_addresses = [], to }) => to === address || called_addresses.includes(address),
  );
  if (isCalled && !isStandardProgram(address)) return "program_risk_unknown";
  const tokens = results.flatMap(({ balance_changes = [] }) => balance_changes);
  const isToken = tokens.some(({ token_address }) => token_address === address);
  const native = tokens.filter(({ token_address }) => isNativeCoin(token_address));
  const own = native.flatMap(({ change_list }) => change_list).find((change) => change.address === address);
  const isNew = own?.begin_value === "0";
  return isToken && !isNew && address !== WRAPPED_SOL ? "token_risk_unknown" : "risk_unknown";
}

/** Evidence without findings of the service or of the worker shows no rights. */
function foundNothing(results: Results): readonly Named[] {
  if (results.every(({ findings }) => findings !== undefined)) return [];
  const description = "the service gives no findings that say what this does beside its balances";
  return [{ name: "rights_not_shown", description }];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
