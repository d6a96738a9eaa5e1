import type { EvmFacts } from "../facts.ts";
import type { EvmRule } from "./rule.ts";

/**
 * An approval of 0 revokes a token allowance, but gives item 0 of a collection. Both use the same calldata. A labelled
 * token keeps no items. For other contracts, only the event logs of an execution show which one is meant.
 */
export const mayGiveItem: EvmRule = (facts) => {
  if (wroteDown(facts)) return undefined;
  const found = facts.does.acts.find(
    (act) =>
      act.does === "revoke" &&
      act.orGivesItem === true &&
      !facts.known(act.token).isTrustedToken &&
      !facts.known(act.spender).isService,
  );
  return found?.does === "revoke"
    ? `lets ${found.spender} take item 0 of ${found.token}, if that keeps items; a right to tokens it would take back`
    : undefined;
};

/** True when all event logs were seen. An approval of an item in the logs has its own rule. */
function wroteDown({ chain }: EvmFacts): boolean {
  return chain?.execution?.ended === "done" && chain.execution.seen === "all";
}
