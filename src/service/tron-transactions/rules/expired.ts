import type { TronRule } from "./rule.ts";

/** The stated expiration is not after the stated creation, so no node accepts the transaction. */
export const expired: TronRule = ({ lifetimeMs }) =>
  lifetimeMs !== undefined && lifetimeMs <= 0n ? "expires before it was made" : undefined;
