import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** A transfer of nothing pays nobody; it only writes an address into a history, as poisoning does. */
export const transferOfNothing: TronRule = (facts) => (amountSent(facts) === 0n ? "sends nothing" : undefined);

function amountSent({ operation, call, contract }: TronFacts): bigint | undefined {
  if (operation.type === "TransferContract" || operation.type === "TransferAssetContract") {
    return integerIn(operation.value, "amount");
  }
  // The item with the id 0 is an item; only where fungible tokens are sent is 0 nothing.
  const isFungible = call?.is === "token" && (call.name === "transfer" || contract?.isToken === true);
  return isFungible && call.call.does === "transfer" ? call.call.amount : undefined;
}
