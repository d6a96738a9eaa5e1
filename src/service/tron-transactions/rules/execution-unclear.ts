import type { TronRule } from "./rule.ts";

/** What could not be run to its end was not seen, so it is not called safe. */
export const executionUnclear: TronRule = ({ chain }) =>
  chain?.execution?.ended === "unclear"
    ? `what the call does could not be found out: ${chain.execution.reason}`
    : undefined;
