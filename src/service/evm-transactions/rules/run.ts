import type { EvmRule } from "./rule.ts";

/** As the chain stands, this does nothing but cost: whoever proposes it is wrong about something, or wants it to fail. */
export const wouldFail: EvmRule = ({ chain }) =>
  chain?.execution?.ended === "failed" ? `would fail: ${chain.execution.reason}` : undefined;

/** What could not be run to its end was not seen, so it is not called safe. */
export const executionUnclear: EvmRule = ({ chain }) =>
  chain?.execution?.ended === "unclear" ? `what it does could not be found out: ${chain.execution.reason}` : undefined;
