import { canonicalJson } from "../kernel/json.ts";
import { sha256 } from "../kernel/sha256.ts";
import { workerSimulationFindings } from "../messages/evidence.ts";
import { mergedTables, type PolicyChoice, PolicyTable, readPolicy } from "./policy.ts";

/**
 * A policy file as it was when there were fewer checks and fewer rows, for verdicts that it decided. A row that it does not
 * have was not asked for then, so it decides nothing; but of a check that names what else was found by one row, that row did.
 * A check that it does not have is not required, and UNKNOWN where there is an answer to it all the same. Its hashes are
 * those of its tables as they stand. Whoever decides anything new must have every row.
 *
 * @throws {ConfigInvalidError} as `readPolicy` does, but for rows that are missing.
 */
export function readOldPolicy(value: unknown): PolicyChoice {
  const given = new Map(Object.entries(Object(Object(value).tables)));
  const tables = Object.fromEntries([...given].map(([id, table]) => [id, withAllRows(table)]));
  const choose = readPolicy({ ...Object(value), tables });
  const strictest = mergedTables([...given.values()]);
  return (tenant) => {
    const policy = choose(tenant);
    return { ...policy, sha256: sha256(canonicalJson(given.get(policy.id) ?? strictest)) };
  };
}

/** Rows that were part of another one, or of none, when a policy of before had no row of their name. */
function rowsOfThen(check: string, given: unknown): Readonly<Record<string, unknown>> {
  // What a service did not compare was UNKNOWN by no row.
  if (check === "poisoning") return { not_compared: "UNKNOWN" };
  if (check !== "solana-simulation") return {};
  const { risk_unknown = "INFO" } = Object(given);
  // The worker found nothing itself then.
  const own = Object.fromEntries(workerSimulationFindings.map((finding) => [finding, "INFO"]));
  return { ...own, program_risk_unknown: risk_unknown, token_risk_unknown: risk_unknown };
}

/** The row of findings that have none of their own. */
const OTHERS = "other_finding";

function withAllRows(table: unknown): unknown {
  const { required_checks: required, findings } = Object(table);
  const none = Object.keys(PolicyTable.shape.required_checks.shape).map((kind) => [kind, []]);
  const checks = Object.entries(PolicyTable.shape.findings.shape).map(([check, { shape }]) => {
    const given = Object(findings)[check];
    const missing = given === undefined ? "UNKNOWN" : (Object(given)[OTHERS] ?? "INFO");
    const rows = Object.keys(shape).map((finding) => [finding, missing]);
    const split = given === undefined ? {} : rowsOfThen(check, given);
    return [check, { ...Object.fromEntries(rows), ...split, ...Object(given) }];
  });
  return {
    ...Object(table),
    required_checks: { ...Object.fromEntries(none), ...Object(required) },
    findings: { ...Object(findings), ...Object.fromEntries(checks) },
  };
}
