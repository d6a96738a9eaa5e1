import type { EvmRule } from "./rule.ts";

/**
 * With the present state of the chain, the transaction only costs fees. Its author is mistaken, or wants it to fail.
 */
export const wouldFail: EvmRule = ({ chain }) =>
  chain?.execution?.ended === "failed" ? `would fail: ${chain.execution.reason}` : undefined;

/** A transaction that could not be executed to its end is not called safe. */
export const executionUnclear: EvmRule = ({ chain }) =>
  chain?.execution?.ended === "unclear" ? `what it does could not be found out: ${chain.execution.reason}` : undefined;
