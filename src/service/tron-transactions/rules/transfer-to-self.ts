import type { TronRule } from "./rule.ts";

/** T13: nodes refuse it for TRX and TRC-10; for tokens it does nothing but cost. */
export const transferToSelf: TronRule = ({ counterparty }) =>
  counterparty?.role === "recipient" && counterparty.isOwner ? "the recipient is your own address" : undefined;
