import type { TronRule } from "./rule.ts";

/** T13: nodes refuse a transfer of TRX or TRC-10 to the sender. For tokens, such a transfer only costs fees. */
export const transferToSelf: TronRule = ({ counterparty }) =>
  counterparty?.role === "recipient" && counterparty.isOwner ? "the recipient is your own address" : undefined;
