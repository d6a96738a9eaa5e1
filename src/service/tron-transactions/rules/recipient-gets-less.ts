import type { TronRule } from "./rule.ts";

/** The token keeps a part of the payment, or logs no payment at all. */
export const recipientGetsLess: TronRule = ({ call, moves, contract, operation, chain }) => {
  if (chain?.execution?.ended !== "done" || call?.is !== "token" || call.call.does !== "transfer") return undefined;
  const { from = operation.owner, to, amount } = call.call;
  const received = moves.filter((move) => move.token === contract?.address && move.to === to && move.from === from);
  if (from === to || received.some((move) => move.amount === undefined)) return undefined;
  const sum = received.reduce((total, move) => total + (move.amount ?? 0n), 0n);
  return sum < amount ? `says that ${to} gets ${amount} raw units, of which ${sum} arrive` : undefined;
};
