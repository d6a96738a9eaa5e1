import type { FailureCode } from "../../../messages/verdict.ts";

/** What happened, and what to do. */
type Meaning = readonly [what: string, action: string];

/** The meaning of each failure code. A new code does not compile without its meaning. */
export const failureMeanings: Readonly<Record<FailureCode, Meaning>> = {
  EVENT_MALFORMED: [
    "The record is no event. The detail names the line and the field; the verdict keeps `id`, `tenant` and `ref`.",
    "Fix the producer. In a CSV rename the column, or leave it out by `--ignore`.",
  ],
  CHAIN_UNSUPPORTED: ["The chain of the event is unknown.", "Fix the producer."],
  ADDRESS_INVALID: [
    "The address of the event is impossible.",
    "Fix the producer. A checksum that fails is often a typing error.",
  ],
  USER_ADDRESS_INVALID: [
    "One of the user's addresses is impossible. Weir compared the others, and only a BLOCK by them is certain.",
    "Fix the producer.",
  ],
  TOKEN_ADDRESS_INVALID: [
    "The token's address is impossible. Weir checked the rest, and only a BLOCK by it is certain.",
    "Fix the producer.",
  ],
  SUBJECT_UNSUPPORTED: [
    "Transactions of this chain, or this operation of TRON, cannot be decoded yet. Or the event holds more than a request may.",
    "Screen the addresses by themselves. The detail names a limit of `SERVICE_DIALECT`.",
  ],
  CHECK_UNSUPPORTED: [
    "The service has no backend for this check on this chain, `SERVICE_DIALECT` leaves the operation out, or the check does not apply.",
    "Take the check out of the policy or the event, or configure the backend.",
  ],
  CALLDATA_UNDECODED: [
    "The calldata of an EVM transaction does not say in full what it does. The detail names contract and selector.",
    "Look at it by hand, or screen the addresses. [EVM transactions](evm-transactions.md) says what is read.",
  ],
  SERVICE_REJECTED: ["The service refused the request.", "Compare the service with openapi.json: `weir doctor`."],
  SERVICE_UNAUTHORIZED: [
    "The service answered 401, or 403 without a wait. A run over a file stops.",
    "Check `SERVICE_API_KEY`.",
  ],
  SERVICE_CALL_UNDECODED: [
    "A call of a known service cannot be decoded. A clean execution by the service settles this failure.",
    "Use a service with the check evm-security, or look at the transaction by hand.",
  ],
  SERVICE_RATE_LIMITED: [
    "The service answered 429, or a 503, 403 or envelope with the same meaning. `weir screen` waits instead.",
    "Set `SERVICE_QUOTA`.",
  ],
  SERVICE_UNAVAILABLE: [
    "The last attempt ended in a 5xx, a redirect, a 404, no answer, or a timeout.",
    "See that the service runs and can be reached.",
  ],
  SERVICE_NOT_READY: [
    "The analysis was still in progress at the last poll, up to a day after the event was first seen.",
    "Screen the event again later.",
  ],
  DEADLINE_PASSED: ["A realtime event had no answer in time.", "Wait for the next revision."],
  ANSWER_INVALID: [
    "The answer cannot be read (no JSON, another shape), or answers another question.",
    "See whether a proxy answers in place of the service: `weir doctor`, or `weir adapter check`.",
  ],
  ITEM_FAILED: [
    "The service has no answer for just this address or transaction. The verdict is final, since the same question gets the same answer.",
    "Look at it by hand. To ask again, use another `--out`, or replay the dead letter.",
  ],
};
