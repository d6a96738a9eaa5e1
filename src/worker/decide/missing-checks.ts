import { findChain } from "../../chains/registry.ts";
import { emptyBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { CheckEntry, Subject, Verdict } from "../../messages/verdict.ts";
import type { PolicyTable, SubjectKind } from "../../policy/policy.ts";
import { plan } from "../plan/plan.ts";
import { SETTLED_BY_EXECUTION } from "./executed-clean.ts";

/** The policy rows with the checks of every transaction of a family. */
const kinds: Readonly<Partial<Record<string, readonly SubjectKind[]>>> = {
  // Only the calldata tells which row applies, and a verdict does not contain the calldata.
  evm: ["evm_transaction", "evm_transaction_unclear"],
  tron: ["tron_transaction"],
  solana: ["solana_transaction"],
};

/**
 * The checks that a policy requires for a subject, computed anew. The verdict's own list is not used, because it is as
 * trustworthy as the rest of the verdict. For an address the plan gives the checks. For a transaction a verdict
 * contains only the hash. So the result is the checks that every transaction of the family needs. A check may be not
 * applicable only if the subject names nothing that the check could be about.
 */
export function missingChecks({ subject, checks }: Pick<Verdict, "subject" | "checks">, table: PolicyTable): Check[] {
  // A refused event is UNKNOWN, and the checks of its plan need not have been made.
  if (subject.type === "unreadable" || checks.some(isRefusal)) return [];
  if (subject.type === "address") return [...plan(subject, table, emptyBook).requiredChecks];
  const [first, ...others] = transactionKinds(subject.chain_id);
  if (first === undefined) return [];
  const required = table.required_checks[first].filter((check) =>
    others.every((kind) => table.required_checks[kind].includes(check)),
  );
  const passedOver = new Set(checks.filter((entry) => mayBePassedOver(entry, subject)).map(({ check }) => check));
  return required.filter((check) => !passedOver.has(check));
}

/** The policy rows that may apply to a transaction on a chain. */
export function transactionKinds(chainId: string): readonly SubjectKind[] {
  return kinds[findChain(chainId)?.family ?? ""] ?? [];
}

function isRefusal({ check, outcome, error }: CheckEntry): boolean {
  return check === "event" && outcome === "failed" && error?.code !== SETTLED_BY_EXECUTION;
}

function mayBePassedOver({ check, outcome }: CheckEntry, subject: Extract<Subject, { type: "transaction" }>): boolean {
  if (outcome !== "not_applicable") return false;
  if (check === "poisoning") return subject.address === undefined;
  return check === "token-security" ? subject.token_address === undefined : check === "classification";
}
