import type { TronRule } from "./rule.ts";

/**
 * A node refuses transactions that expire later than in one day. Source: java-tron,
 * Constant.MAXIMUM_TIME_UNTIL_EXPIRATION.
 */
const LONGEST_MS = 86_400_000n;

/** T13: a stranger may keep the signed transaction and send it later. */
export const expiresLate: TronRule = ({ lifetimeMs }) =>
  lifetimeMs !== undefined && lifetimeMs > LONGEST_MS
    ? "can be kept, once signed, and sent to the network more than a day after it was made"
    : undefined;
