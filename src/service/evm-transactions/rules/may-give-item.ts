import type { EvmFacts } from "../facts.ts";
import type { EvmRule } from "./rule.ts";

/**
 * To approve of 0 takes a right to tokens back, and in a collection gives item 0: the calldata is the same. A labelled
 * token keeps no items; otherwise only running it tells, by what the contract writes down.
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

/** Whether everything that contracts write down was seen; a right to an item among it has a rule of its own. */
function wroteDown({ chain }: EvmFacts): boolean {
  return chain?.execution?.ended === "done" && chain.execution.seen === "all";
}
