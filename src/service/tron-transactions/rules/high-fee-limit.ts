import { trx } from "./amounts.ts";
import type { TronRule } from "./rule.ts";

/**
 * Chosen: calls of well-known tokens and exchanges burn less than 100 TRX. A hostile contract burns up to the limit.
 */
const HIGH_SUN = 1_000_000_000n;

/** T13: the highest fee that the call may burn. */
export const highFeeLimit: TronRule = ({ feeLimitSun }) =>
  feeLimitSun > HIGH_SUN ? `lets the call burn up to ${trx(feeLimitSun)} in fees` : undefined;
