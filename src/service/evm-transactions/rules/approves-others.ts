import { ZERO_ADDRESS } from "../../../chains/evm/signatures.ts";
import type { Grant } from "../execution.ts";
import type { EvmFacts } from "../facts.ts";
import type { EvmRule } from "./rule.ts";

/** The execution gives a spender a right to the user's tokens that the calldata does not state. */
export const approvesOthers: EvmRule = (facts) => {
  const { execution } = facts.chain ?? {};
  const found = execution?.ended === "done" ? execution.grants.find((grant) => isHidden(grant, facts)) : undefined;
  return found && `lets ${found.spender} take your tokens of ${found.token}, without saying so`;
};

function isHidden({ token, spender, giver }: Grant, { does, known }: EvmFacts): boolean {
  if (spender === giver || spender === ZERO_ADDRESS || known(spender).isService) return false;
  return !does.acts.some(
    (act) => (act.does === "approve" || act.does === "approve_all") && act.token === token && act.spender === spender,
  );
}
