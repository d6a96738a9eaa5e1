import type { TronFacts } from "../facts.ts";
import type { TokenGrant } from "../token-moves.ts";
import type { TronRule } from "./rule.ts";

/** The execution gives a spender a right to the user's tokens that the call does not state. */
export const approvesOthers: TronRule = (facts) => {
  const found = facts.grants.find((grant) => isHidden(grant, facts));
  return found === undefined
    ? undefined
    : `lets ${found.spender} take your tokens of ${found.token}, without saying so`;
};

function isHidden(
  { giver, spender, token, amount }: TokenGrant,
  { operation, call, contract, counterparty, isService }: TronFacts,
) {
  if (giver !== operation.owner || spender === giver || amount === 0n || isService(spender)) return false;
  // Old tokens log the remaining allowance when an exchange uses a part of it.
  if (call?.is === "other") return spender !== contract?.address;
  if (call?.is === "token" && call.call.does === "reduce") return spender !== call.call.spender;
  return token !== contract?.address || counterparty?.role !== "spender" || spender !== counterparty.address;
}
