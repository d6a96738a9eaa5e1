import { z } from "zod";
import { plainWords } from "../api/requests/plain-words.ts";
import { simulationFindings } from "../api/schemas/solana-findings.ts";
import { paymentMistakes } from "../chains/payment-mistakes.ts";
import { ConfigInvalidError } from "../kernel/errors.ts";
import { sha256 } from "../kernel/hash.ts";
import { canonicalJson } from "../kernel/json.ts";
import { type Check, checks } from "../messages/checks.ts";
import { type Severity, severities } from "../messages/decision.ts";
import { explainedFindings, workerSimulationFindings } from "../messages/evidence.ts";

const Level = z.enum(severities);
const Required = z.array(z.enum(checks)).readonly();

/** Kinds of subjects with different required checks. */
export const subjectKinds = [
  "address",
  "address_with_token",
  "evm_transaction",
  // The transaction gives a right to an account that the user does not name. Or its effects are not fully known.
  "evm_transaction_unclear",
  "tron_transaction",
  "solana_transaction",
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

const required = Object.fromEntries(subjectKinds.map((kind) => [kind, Required])) as Record<
  SubjectKind,
  typeof Required
>;
const levels = <const N extends readonly string[]>(names: N) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, Level])) as Record<N[number], typeof Level>);

/** The severity of evidence: one row per finding. Every row must be present; a policy has no defaults. */
export const PolicyTable = z
  .strictObject({
    required_checks: z.strictObject(required),
    findings: z.strictObject({
      poisoning: levels([
        "is_poisoning",
        "mimics_user",
        "mimics_exchange",
        "mimics_system",
        "token_is_poisoning",
        "mimics_top_token",
        // The flags tell an imitation of an address, and the event's user or an operator's list knows the address.
        "known_address_mimics",
        // Imitations of users or labels that the service does not look for, by its own statement.
        "not_compared",
      ]),
      "token-security": levels([
        "is_honeypot",
        "dev_malicious",
        "hidden_owner",
        "self_destruct",
        "unlimited_mintable",
        "transfer_pausable",
        "transfer_blacklist",
        "is_anti_whale",
        "tax_extreme",
        "tax_high",
        "is_mintable",
        "not_verified",
        "not_in_dex",
        "level_high",
        "level_medium",
        "level_unknown",
        "threat_high",
        "threat_medium",
        "threat_unknown",
        "trust_low",
        "trust_medium",
        "trust_unknown",
        "new_token",
        "few_holders",
        "concentrated",
        "owner_is_wallet",
      ]),
      classification: levels(["unverified"]),
      "solana-simulation": levels([
        "simulation_failed",
        "risk_high",
        "risk_medium",
        "risk_unknown",
        "program_risk_unknown",
        "token_risk_unknown",
        ...simulationFindings,
        ...workerSimulationFindings,
        ...explainedFindings,
        "other_finding",
      ]),
      "tron-security": levels(["action_block", "action_warn", "not_analysed"]),
      "evm-security": levels(["action_block", "action_warn", "not_analysed", "executed_clean"]),
      "tron-integrity": levels(["id_differs", "body_differs", "not_compared"]),
      listed: levels(["listed_sanctioned", "listed_blocked", "listed_user"]),
      payment: levels(paymentMistakes),
    }),
    limits: z.strictObject({
      "solana-simulation": z.strictObject({
        small_share_percent: z
          .number()
          .int()
          .min(0)
          .max(100)
          .describe(
            "Several assets that leave are `small_shares_leave` if the shares of what the holder has of each add up to at most this, in percent. 0 turns this off.",
          ),
      }),
    }),
  })
  .meta({ id: "PolicyTable" });
export type PolicyTable = z.infer<typeof PolicyTable>;

/** The policy file: named tables, and the table of each tenant. An event without a tenant uses `without_tenant`. */
export const PolicyFile = z
  .strictObject({
    schema: z.literal("weir.policy/1"),
    tables: z.record(z.string().min(1), PolicyTable),
    without_tenant: z.string(),
    tenants: z.record(z.string().min(1), z.string()),
  })
  .meta({ id: "PolicyFile" });
export type PolicyFile = z.infer<typeof PolicyFile>;

export interface Policy {
  readonly id: string;
  /** SHA-256 of the table's canonical JSON. Equal hashes mean that equal rows decided. */
  readonly sha256: string;
  readonly table: PolicyTable;
}

/** Selects the policy for an event of `tenant`. An unknown tenant gets the strictest row of every table. */
export type PolicyChoice = (tenant: string | undefined) => Policy;

/** @throws {ConfigInvalidError} naming every bad row of the file, or a used table that is missing. */
export function readPolicy(value: unknown): PolicyChoice {
  const parsed = PolicyFile.safeParse(value, { error: plainWords });
  if (!parsed.success) {
    const rows = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new ConfigInvalidError(`bad policy file: ${rows.join("; ")}`);
  }
  const { tables, tenants, without_tenant } = parsed.data;
  const policies = new Map(Object.entries(tables).map(([id, table]) => [id, policyOf(id, table)]));
  const named = (id: string, user: string): Policy => {
    const policy = policies.get(id);
    if (policy === undefined)
      throw new ConfigInvalidError(`bad policy file: ${user} uses table "${id}", which is not there`);
    return policy;
  };
  const byTenant = new Map(Object.entries(tenants).map(([tenant, id]) => [tenant, named(id, `tenant "${tenant}"`)]));
  const anonymous = named(without_tenant, "without_tenant");
  const strictest = policyOf("strictest", strictestOf(Object.values(tables)));
  return (tenant) => (tenant === undefined ? anonymous : (byTenant.get(tenant) ?? strictest));
}

/** SHA-256 of a whole parsed policy file. White space and the order of keys do not change it. */
export function policyFileHash(value: unknown): string {
  return sha256(canonicalJson(value));
}

function policyOf(id: string, table: PolicyTable): Policy {
  return { id, sha256: sha256(canonicalJson(table)), table };
}

/** The most severe of several tables, row by row, every check that any table requires, and the lowest limits. */
export function strictestOf(tables: readonly PolicyTable[]): PolicyTable {
  const [first, ...rest] = tables;
  if (first === undefined) throw new ConfigInvalidError("bad policy file: tables is empty");
  return rest.reduce((a, b) => PolicyTable.parse(merge(a, b)), first);
}

/** Merges tables that were not validated, with the most severe value of each row. */
export function mergedTables(tables: readonly unknown[]): unknown {
  return tables.reduce((a, b) => merge(a, b));
}

function merge(a: unknown, b: unknown): unknown {
  if (isSeverity(a) && isSeverity(b)) return severities.indexOf(a) >= severities.indexOf(b) ? a : b;
  if (typeof a === "number" && typeof b === "number") return Math.min(a, b);
  if (Array.isArray(a) && Array.isArray(b))
    return checks.filter((check: Check) => a.includes(check) || b.includes(check));
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a;
  return Object.fromEntries(Object.entries(a).map(([key, value]) => [key, merge(value, Reflect.get(b, key))]));
}

function isSeverity(value: unknown): value is Severity {
  return typeof value === "string" && (severities as readonly string[]).includes(value);
}
