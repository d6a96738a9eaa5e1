import type { TronFacts } from "../facts.ts";
import type { TronTokenMove } from "../token-moves.ts";
import type { TronRule } from "./rule.ts";

/** A call that says what it does with tokens takes others of the user's, or more, or sends them elsewhere. */
export const movesOtherTokens: TronRule = (facts) => {
  if (facts.call === undefined || facts.call.is === "other") return undefined;
  const found = ownMoves(facts).find((move) => !isSaid(move, facts)) ?? split(facts) ?? excess(facts);
  if (found === undefined) return undefined;
  const what = found.isItem ? "an item" : `${found.amount ?? "some"} raw units`;
  return `says ${facts.call.name}, and takes ${what} of ${found.token} from you to ${found.to}`;
};

/** What leaves the user. */
export function ownMoves({ moves, operation }: TronFacts): readonly TronTokenMove[] {
  return moves.filter(({ from, to }) => from === operation.owner && to !== from);
}

/** Part of a payment may go to somebody else, as a fee; never an item, nor the most of it. */
function isSaid(move: TronTokenMove, { call, contract, operation }: TronFacts): boolean {
  if (call?.is !== "token" || call.call.does !== "transfer" || move.token !== contract?.address) return false;
  if (call.call.from !== undefined && call.call.from !== operation.owner) return false;
  const { to, amount } = call.call;
  if (move.amount === undefined) return move.to === to;
  if (move.isItem) return move.to === to && move.amount === amount;
  return move.to === to || move.amount * 2n <= amount;
}

/** The most of a payment that goes to others in parts, of which none is the most. */
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
