import { findChain } from "../../chains/registry.ts";
import { emptyBook } from "../../labels/address-book.ts";
import type { Check } from "../../messages/checks.ts";
import type { CheckEntry, Subject, Verdict } from "../../messages/verdict.ts";
import type { PolicyTable, SubjectKind } from "../../policy/policy.ts";
import { plan } from "../plan/plan.ts";

/** Which rows of a policy say what every transaction of a family is asked, whatever it does. */
const kinds: Readonly<Partial<Record<string, readonly [SubjectKind, ...SubjectKind[]]>>> = {
  // Which of the two it was, only its calldata tells, and that is not in a verdict.
  evm: ["evm_transaction", "evm_transaction_unclear"],
  tron: ["tron_transaction"],
  solana: ["solana_transaction"],
};

/**
 * The checks that a policy asks about a subject, found out anew: what a verdict says of that itself is worth no more than the
 * rest of it. Of an address the plan says it. Of a transaction a verdict holds only the hash, so it is what all of its
 * family are asked; a check may be not applicable only where the subject names nothing that it could be about.
 */
export function missingChecks({ subject, checks }: Pick<Verdict, "subject" | "checks">, table: PolicyTable): Check[] {
  // It is UNKNOWN for that, and what was planned before it was refused need not have been asked.
  if (subject.type === "unreadable" || checks.some(isRefusal)) return [];
  if (subject.type === "address") return [...plan(subject, table, emptyBook).requiredChecks];
  const [first, ...others] = kinds[findChain(subject.chain_id)?.family ?? ""] ?? [];
  if (first === undefined) return [];
  const required = table.required_checks[first].filter((check) =>
    others.every((kind) => table.required_checks[kind].includes(check)),
  );
  const passedOver = new Set(checks.filter((entry) => mayBePassedOver(entry, subject)).map(({ check }) => check));
  return required.filter((check) => !passedOver.has(check));
}

function isRefusal({ check, outcome }: CheckEntry): boolean {
  return check === "event" && outcome === "failed";
}

function mayBePassedOver({ check, outcome }: CheckEntry, subject: Extract<Subject, { type: "transaction" }>): boolean {
  if (outcome !== "not_applicable") return false;
  if (check === "poisoning") return subject.address === undefined;
  return check === "token-security" ? subject.token_address === undefined : check === "classification";
}
