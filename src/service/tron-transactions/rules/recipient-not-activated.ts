import type { Finds } from "./rule.ts";

/** Nothing was ever done there: a new account, or a mistyped one. */
export const recipientNotActivated: Finds = ({ counterparty, chain }) =>
  chain?.counterparty === "not activated" && counterparty?.role === "recipient"
    ? `the recipient ${counterparty.address} was never activated`
    : undefined;
