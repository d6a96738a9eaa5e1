import type { TronRule } from "./rule.ts";

/** A burn address has no key. Assets and rights that are given to it are burnt. */
export const transferToBurnAddress: TronRule = ({ counterparty }) =>
  counterparty?.isNobodys === true
    ? `nobody has the key of the ${counterparty.role} ${counterparty.address}`
    : undefined;
