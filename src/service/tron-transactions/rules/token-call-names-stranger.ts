import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import { hexIn } from "../../../chains/tron/message/message-value.ts";
import type { TronRule } from "./rule.ts";

/** Named at most; whoever makes a transaction names as many as he likes. */
const MAX_NAMED = 5;

/**
 * A labelled service is paid, or let spend, and told in the same call what to do with it: in that a stranger is named, as the
 * one who gets what it yields.
 */
export const tokenCallNamesStranger: TronRule = (facts) => {
  const { operation, call, contract, counterparty, isService, isTrustedToken } = facts;
  if (call?.is !== "token" || counterparty?.isLabelledService !== true) return undefined;
  const known = new Set<string | undefined>([operation.owner, contract?.address, counterparty.address]);
  // As if it were arguments behind a selector; and of what begins with one of its own, too.
  const named = addressesInCall(`00000000${payloadOf(hexIn(operation.value, "data"))}`);
  const strangers = named.filter((each) => !known.has(each) && !isService(each) && !isTrustedToken(each));
  return strangers.length === 0
    ? undefined
    : `${call.name} pays the labelled service ${counterparty.address}, and tells it of ${strangers.slice(0, MAX_NAMED).join(", ")}, who may get what that yields`;
};
