import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

const SUN_PER_TRX = 1_000_000n;

/** 1500000 sun -> 1.5 TRX. */
export function trx(sun: bigint): string {
  const fraction = String(sun % SUN_PER_TRX)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${sun / SUN_PER_TRX}${fraction === "" ? "" : `.${fraction}`} TRX`;
}

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

/** T14: the account lends resources, and cannot take them back for a time. */
export const lockedDelegation: TronRule = (facts) =>
  isDelegation(facts) && isLocked(facts)
    ? `lends resources to ${facts.counterparty?.address}, and you cannot take them back for a time`
    : undefined;

/** Operations that cannot be undone, or that burn a large fee. The type alone decides. */
const changes: Partial<Readonly<Record<SupportedType, string>>> = {
  WitnessCreateContract: "burns 9,999 TRX to make the account a candidate for representative",
  ClearABIContract: "removes the contract's published interface for ever",
  ParticipateAssetIssueContract: "buys a TRC-10 from its issuer, who sets the price",
};

export const permanentChange: TronRule = ({ operation }) => changes[operation.type];
