import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** T14: resources are lent, and can be taken back at any time. */
export const delegation: TronRule = (facts) =>
  isDelegation(facts) && !isLocked(facts) ? `lends resources to ${facts.counterparty?.address}` : undefined;

/** Resources go to somebody else. */
export function isDelegation({ counterparty }: TronFacts): boolean {
  return counterparty?.role === "receiver";
}

/** They cannot be taken back for a time: by a lock, or as all of the first kind of freezing for three days at least. */
export function isLocked({ operation }: TronFacts): boolean {
  return operation.type === "FreezeBalanceContract" || operation.value.fields.get("lock") === true;
}
