import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import { hexIn } from "../../../chains/tron/message/message-value.ts";
import type { TronRule } from "./rule.ts";

/** Maximum number of addresses in the text. A transaction can name any number. */
const MAX_NAMED = 5;

/**
 * A labelled service is paid or approved, and the same call carries instructions for the service. The instructions name
 * a stranger that may get the proceeds.
 */
export const tokenCallNamesStranger: TronRule = (facts) => {
  const { operation, call, contract, counterparty, isService, isTrustedToken } = facts;
  if (call?.is !== "token" || counterparty?.isLabelledService !== true) return undefined;
  const known = new Set<string | undefined>([operation.owner, contract?.address, counterparty.address]);
  // The payload gets an empty selector in front. `addressesInCall` then finds addresses in plain arguments, and in
  // arguments behind a selector of the payload's own.
  const named = addressesInCall(`00000000${payloadOf(hexIn(operation.value, "data"))}`);
  const strangers = named.filter((each) => !known.has(each) && !isService(each) && !isTrustedToken(each));
  return strangers.length === 0
    ? undefined
    : `${call.name} pays the labelled service ${counterparty.address}, and tells it of ${strangers.slice(0, MAX_NAMED).join(", ")}, who may get what that yields`;
};
