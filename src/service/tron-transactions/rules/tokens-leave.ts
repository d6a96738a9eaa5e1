import { ownMoves } from "./moves-other-tokens.ts";
import type { TronRule } from "./rule.ts";

/**
 * An unknown contract takes the user's tokens, by a call of unknown meaning. Coins that are paid to an unknown contract
 * have the same score.
 */
export const tokensLeave: TronRule = (facts) => {
  const { call, contract } = facts;
  if (call?.is !== "other" || contract === undefined || contract.isService) return undefined;
  const [move] = ownMoves(facts);
  if (move === undefined) return undefined;
  const isPaidBack = facts.moves.some(({ from, to }) => to === facts.operation.owner && from !== to);
  const back = isPaidBack ? "; other tokens come back" : "; no tokens come back";
  return `the contract ${contract.address} takes your tokens of ${move.token} and sends them to ${move.to}${back}`;
};
