import type { TronRule } from "./rule.ts";

/** A call that could not be executed to its end is not called safe. */
export const executionUnclear: TronRule = ({ chain }) =>
  chain?.execution?.ended === "unclear"
    ? `what the call does could not be found out: ${chain.execution.reason}`
    : undefined;
