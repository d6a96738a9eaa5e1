import type { Facts } from "../facts.ts";
import type { Finds } from "./rule.ts";

/** T14: resources are lent, and can be taken back at any time. */
export const delegation: Finds = (facts) =>
  isDelegation(facts) && !isLocked(facts) ? `lends resources to ${facts.counterparty?.address}` : undefined;

/** Resources go to somebody else. */
export function isDelegation({ counterparty }: Facts): boolean {
  return counterparty?.role === "receiver";
}

/** They cannot be taken back for a time: by a lock, or as all of the first kind of freezing for three days at least. */
export function isLocked({ operation }: Facts): boolean {
  return operation.type === "FreezeBalanceContract" || operation.value.fields.get("lock") === true;
}
