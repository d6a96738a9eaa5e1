import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** T14: the account lends resources, and can take them back at any time. */
export const delegation: TronRule = (facts) =>
  isDelegation(facts) && !isLocked(facts) ? `lends resources to ${facts.counterparty?.address}` : undefined;

/** True when resources go to another account. */
export function isDelegation({ counterparty }: TronFacts): boolean {
  return counterparty?.role === "receiver";
}

/**
 * True when the resources cannot be taken back for a time. Either a lock is set, or the freezing is of the first kind,
 * which lasts at least three days.
 */
export function isLocked({ operation }: TronFacts): boolean {
  return operation.type === "FreezeBalanceContract" || operation.value.fields.get("lock") === true;
}
