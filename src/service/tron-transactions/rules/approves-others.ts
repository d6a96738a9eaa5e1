import type { TronFacts } from "../facts.ts";
import type { TokenGrant } from "../token-moves.ts";
import type { TronRule } from "./rule.ts";

/** An execution gives somebody a right to the user's tokens that the call does not speak of. */
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
  // Old tokens write down what is left of an allowance when some of it is used, as an exchange uses it.
  if (call?.is === "other") return spender !== contract?.address;
  if (call?.is === "token" && call.call.does === "reduce") return spender !== call.call.spender;
  return token !== contract?.address || counterparty?.role !== "spender" || spender !== counterparty.address;
}
