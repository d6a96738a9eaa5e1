import { sha256 } from "../kernel/hash.ts";
import { canonicalJson } from "../kernel/json.ts";
import { workerSimulationFindings } from "../messages/evidence.ts";
import { mergedTables, type Policy, type PolicyChoice, PolicyTable, readPolicy } from "./policy.ts";

/**
 * Reads an old policy file with fewer checks and fewer rows, for verdicts that it decided. A new decision needs a
 * policy with every row.
 * A missing row decides nothing, because its finding did not exist then. In a check with a row for all other findings,
 * that row decides instead. A missing check is not required. An answer to a missing check is UNKNOWN. The hashes are
 * those of the tables in the file.
 *
 * @throws {ConfigInvalidError} like `readPolicy`, except for missing rows.
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

/** A table of a policy file, and the rows that the file itself holds. */
export interface PastPolicy extends Policy {
  /** As "check.finding". */
  readonly rows: ReadonlySet<string>;
}

/**
 * Every table of an old policy file, and the strictest rows of all tables, which an unknown tenant gets. The file must
 * be one that `readOldPolicy` accepts.
 */
export function pastPolicies(value: unknown): readonly PastPolicy[] {
  const given: [string, unknown][] = Object.entries(Object(Object(value).tables));
  const strictest: [string, unknown] = ["strictest", mergedTables(given.map(([, table]) => table))];
  return [...given, strictest].map(([id, table]) => ({
    id,
    sha256: sha256(canonicalJson(table)),
    table: PolicyTable.parse(withAllRows(table)),
    rows: new Set(
      Object.entries(Object(Object(table).findings)).flatMap(([check, rows]) =>
        Object.keys(Object(rows)).map((finding) => `${check}.${finding}`),
      ),
    ),
  }));
}

/** The rows that an old policy had under another name, or did not have. */
function rowsOfThen(check: string, given: unknown): Readonly<Record<string, unknown>> {
  // A comparison that the service did not make was UNKNOWN without a row.
  if (check === "poisoning") return { not_compared: "UNKNOWN" };
  if (check !== "solana-simulation") return {};
  const { risk_unknown = "INFO" } = Object(given);
  // The worker had no findings of its own then.
  const own = Object.fromEntries(workerSimulationFindings.map((finding) => [finding, "INFO"]));
  return { ...own, program_risk_unknown: risk_unknown, token_risk_unknown: risk_unknown };
}

/** A policy without limits excused no finding by a share. */
const NO_LIMITS = { "solana-simulation": { small_share_percent: 0 } };

/** The row for findings without a row of their own. */
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
    limits: NO_LIMITS,
    ...Object(table),
    required_checks: { ...Object.fromEntries(none), ...Object(required) },
    findings: { ...Object(findings), ...Object.fromEntries(checks) },
  };
}
