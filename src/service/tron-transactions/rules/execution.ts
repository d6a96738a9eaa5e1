import type { CanonicalAddress } from "../../../chains/address.ts";
import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { leavesCoins } from "../../../chains/tron/calls/coins-left.ts";
import { leavesProceeds, proceedsIn, tradesAtAnyPrice } from "../../../chains/tron/calls/proceeds.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import { hexIn, integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronChainFacts } from "../chain-facts.ts";
import type { TronFacts } from "../facts.ts";
import type { TronTokenMove } from "../token-moves.ts";
import { outcomesOf, type RunOutcome } from "../value-flows.ts";
import { trx } from "./resources.ts";
import type { TronRule } from "./rule.ts";

/** A call that could not be executed to its end is not called safe. */
export const executionUnclear: TronRule = ({ chain }) =>
  chain?.execution?.ended === "unclear"
    ? `what the call does could not be found out: ${chain.execution.reason}`
    : undefined;

/**
 * With the present state of the chain, the transaction only costs fees. Its author is mistaken, or wants it to fail.
 */
export const wouldFail: TronRule = (facts) => {
  const { chain } = facts;
  const reason = chain === undefined ? undefined : whyFailing(facts, chain);
  return reason === undefined ? undefined : `would fail: ${reason}`;
};

function whyFailing(
  { operation, contract }: TronFacts,
  { owner, code, execution, missingAssets }: TronChainFacts,
): string | undefined {
  if (owner === "not activated") return `the account ${operation.owner} was never activated`;
  if (code === "no contract") return `there is no contract at ${contract?.address}`;
  if (missingAssets.length > 0) return `there is no TRC-10 with the id ${missingAssets.join(", ")}`;
  if (execution?.ended === "failed") return execution.reason;
  if (operation.type !== "TransferContract") return undefined;
  const amount = integerIn(operation.value, "amount");
  return amount > owner.balanceSun ? `sends ${trx(amount)}, the account has ${trx(owner.balanceSun)}` : undefined;
}

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

/** Maximum number of addresses in the text. A split payment may have any number of receivers. */
const MAX_NAMED = 5;

/**
 * A labelled service is called, and pays strangers that the call does not name. When the user gets nothing, any gain of
 * strangers counts. Otherwise, strangers must get more of a kind than the user gets. They must also get more than half
 * of what the user pays of that kind. A smaller part may be a fee.
 */
export const servicePaysStranger: TronRule = (facts) => {
  const { operation } = facts;
  const service = serviceCalled(facts);
  if (service === undefined) return undefined;
  const { userGetsNothing, byKind } = outcomesOf(facts, { countsMade: false });
  const losses = userGetsNothing
    ? outcomesOf(facts, { countsMade: true }).byKind.filter(({ theirs }) => theirs > 0n)
    : byKind.filter(isMost);
  if (losses.length === 0) return undefined;
  // `proceeds_to_another` and `token_call_names_stranger` report the addresses that the call names.
  const named = new Set(addressesInCall(hexIn(operation.value, "data")));
  const strangers = [...new Set(losses.flatMap((loss) => [...loss.strangers]))].filter((each) => !named.has(each));
  return strangers.length === 0
    ? undefined
    : `the labelled service ${service} pays ${shown(strangers)}, of whom nothing is known and whom the call does not name, ${
        userGetsNothing ? "and you nothing" : "more than you"
      }`;
};

/** The called service. A token that forwards data to a service calls the service as well. */
function serviceCalled({ operation, call, contract, counterparty }: TronFacts): CanonicalAddress | undefined {
  if (call?.is === "other") return contract?.isLabelledService === true ? contract.address : undefined;
  const isTold = payloadOf(hexIn(operation.value, "data")) !== "";
  return isTold && counterparty?.isLabelledService === true ? counterparty.address : undefined;
}

function isMost({ theirs, paid, received }: RunOutcome): boolean {
  return theirs > received && 2n * theirs > paid;
}

function shown(addresses: readonly CanonicalAddress[]): string {
  const rest = addresses.length - MAX_NAMED;
  return `${addresses.slice(0, MAX_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Maximum number of addresses in the text. A transaction can name any number. */
const MAX_RECIPIENTS_NAMED = 5;

/**
 * The user pays for a trade, a withdrawal or a deposit, and a stranger gets the proceeds. The caller of the function
 * does not matter.
 */
export const proceedsToAnother: TronRule = (facts) => {
  const { operation, calls, contract } = facts;
  if (calls?.call.is !== "other" || contract === undefined) return undefined;
  // A protocol does not book what somebody else's call sends to it. The next caller of a router can take it.
  const paid = proceedsIn(calls).filter((address) => !facts.isBridge(address));
  const received = receiversNamed(facts, hexIn(operation.value, "data")).filter((address) => !facts.isService(address));
  const strangers = new Set(
    [...paid, ...received].filter((address) => address !== operation.owner && address !== contract.address),
  );
  return strangers.size === 0
    ? undefined
    : `what the call of ${contract.address} yields goes to ${[...strangers].slice(0, MAX_RECIPIENTS_NAMED).join(", ")}, and not to you`;
};

/**
 * Addresses that an unknown call names and that keep tokens or coins in the execution. Pools are named too, but pools
 * give something in return. A token contract is no receiver of its own token.
 */
function receiversNamed({ moves, payments }: TronFacts, data: string) {
  if (moves.length === 0 && payments.length === 0) return [];
  const named = new Set(addressesInCall(data));
  const givers = new Set([...moves.flatMap(({ from, token }) => [from, token]), ...payments.map(({ from }) => from)]);
  return [...moves, ...payments].map(({ to }) => to).filter((to) => named.has(to) && !givers.has(to));
}

/**
 * The user pays, and the proceeds or a part of the coins stay in the router. A stranger can take them by a public
 * function of the router.
 */
export const proceedsStay: TronRule = ({ calls, contract, operation }) => {
  if (calls?.call.is !== "other" || contract === undefined) return undefined;
  if (leavesProceeds(calls, contract.address))
    return `leaves what the call of ${contract.address} yields with that contract, where anybody can take it, and does not pass it on`;
  return leavesCoins(calls, integerIn(operation.value, "call_value"))
    ? `leaves coins with ${contract.address} that the call does not use, where anybody can take them`
    : undefined;
};

/** The field with the least amount that must come back. */
const leastOf: Partial<Readonly<Record<SupportedType, string>>> = {
  ExchangeTransactionContract: "expected",
  MarketSellAssetContract: "buy_token_quantity",
};

/** A trade with a minimum of at most one unit accepts any price. */
export const exchangeWithoutMinimum: TronRule = ({ operation, calls, contract }) => {
  const least = leastOf[operation.type];
  const isAnyPrice =
    (least !== undefined && integerIn(operation.value, least) <= 1n) ||
    (calls?.call.is === "other" && contract !== undefined && tradesAtAnyPrice(calls, contract.address));
  return isAnyPrice ? "trades without a lowest price" : undefined;
};
