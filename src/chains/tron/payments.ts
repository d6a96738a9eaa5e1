import type { Payment } from "../payment-mistakes.ts";
import type { ReadCalls } from "./calls/calls-read.ts";
import { proceedsIn } from "./calls/proceeds.ts";
import { addressIn, integerIn } from "./message/message-value.ts";
import type { Operation } from "./operation.ts";

/** Fields of a call that carry coins or a TRC-10 token. */
const valueFields = ["call_value", "call_token_value"] as const;

/**
 * The payments of an operation, as far as it tells. A transfer of TRX or of a TRC-10 token runs no code of its
 * recipient. So a recipient contract cannot forward it.
 *
 * @param calls the calls in the operation's data.
 */
export function* paymentsOf({ type, value }: Operation, calls: ReadCalls | undefined): Generator<Payment> {
  if (type === "TransferContract" || type === "TransferAssetContract") {
    const to = addressIn(value, "to_address");
    if (to !== undefined) yield { to, runs: "nothing" };
  }
  const contract = addressIn(value, "contract_address");
  if (contract === undefined || calls === undefined) return;
  if (valueFields.some((field) => integerIn(value, field) > 0n)) yield { to: contract, runs: "call" };
  for (const { reading } of calls.calls) {
    if (reading.is === "token" && reading.call.does === "transfer")
      yield { to: reading.call.to, token: contract, runs: "nothing" };
  }
  for (const to of proceedsIn(calls)) yield { to, runs: "nothing" };
}
