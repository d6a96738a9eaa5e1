import { readEvidence } from "../../messages/evidence.ts";
import type { CheckEntry, FailureCode } from "../../messages/verdict.ts";
import { evmSecurityRule } from "./findings/evm-security.ts";
import type { Context, Finding } from "./findings/rule.ts";

/** The failure that an execution can settle: a labelled contract is called in a way that is not known. */
export const SETTLED_BY_EXECUTION = "SERVICE_CALL_UNDECODED" satisfies FailureCode;

/**
 * The finding in the place of that failure, where the service ran the transaction. The execution must be complete and
 * seen in full, nothing may leave, no right may be given, and the service must have found nothing. Undefined otherwise, as for services that run nothing.
 */
export function executedClean(checks: readonly CheckEntry[], context: Context): Finding | undefined {
  const entry = checks.find(({ check }) => check === "evm-security");
  if (entry?.outcome !== "ok" || entry.error !== undefined) return undefined;
  const { execution, security } = readEvidence("evm-security", entry.data) ?? {};
  if (execution?.ended !== "done" || (execution.not_shown ?? 0) > 0) return undefined;
  if ((security?.not_analysed ?? []).length > 0) return undefined;
  // No price is known, so only an execution that costs nothing and gives no right is clean.
  if (execution.rights_given.length > 0) return undefined;
  if (execution.balance_changes.some(({ delta_value: delta }) => delta.startsWith("-"))) return undefined;
  const found = evmSecurityRule(entry.data, context);
  if (found === undefined || found.some(({ severity }) => severity !== "INFO")) return undefined;
  const detail = "the service ran the transaction to its end: nothing leaves, and no right is given";
  return { finding: "executed_clean", severity: context.table.findings["evm-security"].executed_clean, detail };
}
