import type { TronFacts } from "../facts.ts";
import type { TronTokenMove } from "../token-moves.ts";
import type { TronRule } from "./rule.ts";

/** A call that states a token movement takes other tokens of the user, or more tokens, or sends them elsewhere. */
export const movesOtherTokens: TronRule = (facts) => {
  if (facts.call === undefined || facts.call.is === "other") return undefined;
  const found = ownMoves(facts).find((move) => !isSaid(move, facts)) ?? split(facts) ?? excess(facts);
  if (found === undefined) return undefined;
  const what = found.isItem ? "an item" : `${found.amount ?? "some"} raw units`;
  return `says ${facts.call.name}, and takes ${what} of ${found.token} from you to ${found.to}`;
};

/** Token moves that leave the user's account. */
export function ownMoves({ moves, operation }: TronFacts): readonly TronTokenMove[] {
  return moves.filter(({ from, to }) => from === operation.owner && to !== from);
}

/** Less than the whole payment may go elsewhere as a fee: at most half of it, and never an item. */
function isSaid(move: TronTokenMove, { call, contract, operation }: TronFacts): boolean {
  if (call?.is !== "token" || call.call.does !== "transfer" || move.token !== contract?.address) return false;
  if (call.call.from !== undefined && call.call.from !== operation.owner) return false;
  const { to, amount } = call.call;
  if (move.amount === undefined) return move.to === to;
  if (move.isItem) return move.to === to && move.amount === amount;
  return move.to === to || move.amount * 2n <= amount;
}

/** Finds a payment of which more than half goes elsewhere in several parts, although no part is more than half. */
function split(facts: TronFacts): TronTokenMove | undefined {
  if (facts.call?.is !== "token" || facts.call.call.does !== "transfer") return undefined;
  const { to, amount } = facts.call.call;
  const elsewhere = ownMoves(facts).filter((move) => !move.isItem && move.to !== to);
  return sumOf(elsewhere) * 2n > amount ? elsewhere.at(-1) : undefined;
}

function sumOf(moves: readonly TronTokenMove[]): bigint {
  return moves.reduce((total, { amount }) => total + (amount ?? 0n), 0n);
}

function excess(facts: TronFacts): TronTokenMove | undefined {
  if (facts.call?.is !== "token" || facts.call.call.does !== "transfer") return undefined;
  const paid = ownMoves(facts).filter(({ isItem }) => !isItem);
  return sumOf(paid) > facts.call.call.amount ? paid.at(-1) : undefined;
}
