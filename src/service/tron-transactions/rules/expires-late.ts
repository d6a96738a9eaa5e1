import type { TronRule } from "./rule.ts";

/** Source: java-tron, Constant.MAXIMUM_TIME_UNTIL_EXPIRATION: a node takes nothing that expires later than in a day. */
const LONGEST_MS = 86_400_000n;

/** T13: a signature that somebody may keep and use later. */
export const expiresLate: TronRule = ({ lifetimeMs }) =>
  lifetimeMs !== undefined && lifetimeMs > LONGEST_MS
    ? "can be kept, once signed, and sent to the network more than a day after it was made"
    : undefined;
