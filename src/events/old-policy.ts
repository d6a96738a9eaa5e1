import { canonicalJson } from "../kernel/json.ts";
import { sha256 } from "../kernel/sha256.ts";
import { mergedTables, type PolicyChoice, PolicyTable, readPolicy } from "./policy.ts";

/**
 * A policy file as it was when there were fewer rows, for verdicts that it decided: what it does not have was not required,
 * and counted for nothing, so that a decision of before is not another one today. Its hashes are those of its tables as they
 * stand. Whoever decides anything new must have every row.
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

function withAllRows(table: unknown): unknown {
  const { required_checks: required, findings } = Object(table);
  const none = Object.keys(PolicyTable.shape.required_checks.shape).map((kind) => [kind, []]);
  const checks = Object.entries(PolicyTable.shape.findings.shape).map(([check, { shape }]) => {
    const unasked = Object.keys(shape).map((finding) => [finding, "INFO"]);
    return [check, { ...Object.fromEntries(unasked), ...Object(Object(findings)[check]) }];
  });
  return {
    ...Object(table),
    required_checks: { ...Object.fromEntries(none), ...Object(required) },
    findings: { ...Object(findings), ...Object.fromEntries(checks) },
  };
}
