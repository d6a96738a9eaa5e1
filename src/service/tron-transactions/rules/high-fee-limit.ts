import { trx } from "./amounts.ts";
import type { TronRule } from "./rule.ts";

/** Chosen: calls of well-known tokens and exchanges burn less than 100 TRX; a hostile contract burns up to the limit. */
const HIGH_SUN = 1_000_000_000n;

/** T13: what the call may burn at most. */
export const highFeeLimit: TronRule = ({ feeLimitSun }) =>
  feeLimitSun > HIGH_SUN ? `lets the call burn up to ${trx(feeLimitSun)} in fees` : undefined;
