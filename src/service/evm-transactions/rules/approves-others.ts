import { NOBODY } from "../../../chains/evm/signatures.ts";
import type { Grant } from "../execution.ts";
import type { Facts } from "../facts.ts";
import type { Finds } from "./rule.ts";

/** Running it gives somebody a right to the user's tokens that the calldata does not speak of. */
export const approvesOthers: Finds = (facts) => {
  const { execution } = facts.chain ?? {};
  const found = execution?.ended === "done" ? execution.grants.find((grant) => isHidden(grant, facts)) : undefined;
  return found && `lets ${found.spender} take your tokens of ${found.token}, without saying so`;
};

function isHidden({ token, spender, giver }: Grant, { does, known }: Facts): boolean {
  if (spender === giver || spender === NOBODY || known(spender).isService) return false;
  return !does.acts.some(
    (act) => (act.does === "approve" || act.does === "approve_all") && act.token === token && act.spender === spender,
  );
}
