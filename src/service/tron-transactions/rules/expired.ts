import type { TronRule } from "./rule.ts";

/** By its own word it had expired when it was made; no node takes it. */
export const expired: TronRule = ({ lifetimeMs }) =>
  lifetimeMs !== undefined && lifetimeMs <= 0n ? "expires before it was made" : undefined;
