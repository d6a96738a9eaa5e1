import type { CanonicalAddress } from "../../../chains/address.ts";
import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import { hexIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import { outcomesOf, type RunOutcome } from "../value-flows.ts";
import type { TronRule } from "./rule.ts";

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
