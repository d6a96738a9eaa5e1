import type { TronRule } from "./rule.ts";

/** Nobody has the key of a burn address: sent there, or given to it, anything is burnt. */
export const transferToBurnAddress: TronRule = ({ counterparty }) =>
  counterparty?.isNobodys === true
    ? `nobody has the key of the ${counterparty.role} ${counterparty.address}`
    : undefined;
