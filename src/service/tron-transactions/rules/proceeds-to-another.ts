import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { proceedsIn } from "../../../chains/tron/calls/proceeds.ts";
import { hexIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** Named at most; whoever makes a transaction names as many as he likes. */
const MAX_NAMED = 5;

/** The user pays for a trade, a withdrawal or a deposit, and somebody else gets what it yields, whoever makes it. */
export const proceedsToAnother: TronRule = (facts) => {
  const { operation, calls, contract } = facts;
  if (calls?.call.is !== "other" || contract === undefined) return undefined;
  const strangers = new Set(
    [...proceedsIn(calls), ...receiversNamed(facts, hexIn(operation.value, "data"))].filter(
      (address) => address !== operation.owner && address !== contract.address && !facts.isService(address),
    ),
  );
  return strangers.size === 0
    ? undefined
    : `what the call of ${contract.address} yields goes to ${[...strangers].slice(0, MAX_NAMED).join(", ")}, and not to you`;
};

/**
 * Whom a call names and an execution shows to get tokens or coins for good, by a function that is not known. Pools are named too,
 * but what they get they give something else for; and a token is no receiver of itself.
 */
function receiversNamed({ moves, payments }: TronFacts, data: string) {
  if (moves.length === 0 && payments.length === 0) return [];
  const named = new Set(addressesInCall(data));
  const givers = new Set([...moves.flatMap(({ from, token }) => [from, token]), ...payments.map(({ from }) => from)]);
  return [...moves, ...payments].map(({ to }) => to).filter((to) => named.has(to) && !givers.has(to));
}
