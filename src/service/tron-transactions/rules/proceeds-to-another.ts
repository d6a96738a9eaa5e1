import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { proceedsIn } from "../../../chains/tron/calls/proceeds.ts";
import { hexIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** Maximum number of addresses in the text. A transaction can name any number. */
const MAX_NAMED = 5;

/**
 * The user pays for a trade, a withdrawal or a deposit, and a stranger gets the proceeds. The caller of the function
 * does not matter.
 */
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
 * Addresses that an unknown call names and that keep tokens or coins in the execution. Pools are named too, but pools
 * give something in return. A token contract is no receiver of its own token.
 */
function receiversNamed({ moves, payments }: TronFacts, data: string) {
  if (moves.length === 0 && payments.length === 0) return [];
  const named = new Set(addressesInCall(data));
  const givers = new Set([...moves.flatMap(({ from, token }) => [from, token]), ...payments.map(({ from }) => from)]);
  return [...moves, ...payments].map(({ to }) => to).filter((to) => named.has(to) && !givers.has(to));
}
