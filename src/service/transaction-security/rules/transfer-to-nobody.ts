import type { Finds } from "./rule.ts";

/** Nobody has the key of the zero address: sent there, or given to it, anything is burnt. */
export const transferToNobody: Finds = ({ counterparty }) =>
  counterparty?.isZero === true ? `nobody has the key of the ${counterparty.role} ${counterparty.address}` : undefined;
