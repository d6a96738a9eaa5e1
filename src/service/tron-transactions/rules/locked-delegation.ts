import { isDelegation, isLocked } from "./delegation.ts";
import type { TronRule } from "./rule.ts";

/** T14: the account lends resources, and cannot take them back for a time. */
export const lockedDelegation: TronRule = (facts) =>
  isDelegation(facts) && isLocked(facts)
    ? `lends resources to ${facts.counterparty?.address}, and you cannot take them back for a time`
    : undefined;
