import type { TronRule } from "./rule.ts";

/** The recipient was never used: it is a new account, or a mistyped one. */
export const recipientNotActivated: TronRule = ({ counterparty, chain }) =>
  chain?.counterparty === "not activated" && counterparty?.role === "recipient"
    ? `the recipient ${counterparty.address} was never activated`
    : undefined;
