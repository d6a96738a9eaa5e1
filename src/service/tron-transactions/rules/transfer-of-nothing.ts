import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** A transfer of 0 pays nothing. It only writes an address into a history, as address poisoning does. */
export const transferOfNothing: TronRule = (facts) => (amountSent(facts) === 0n ? "sends nothing" : undefined);

function amountSent({ operation, call, contract }: TronFacts): bigint | undefined {
  if (operation.type === "TransferContract" || operation.type === "TransferAssetContract") {
    return integerIn(operation.value, "amount");
  }
  // Item 0 of a collection is an item. An amount of 0 is nothing only for fungible tokens.
  const isFungible = call?.is === "token" && (call.name === "transfer" || contract?.isToken === true);
  return isFungible && call.call.does === "transfer" ? call.call.amount : undefined;
}
