import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronChainFacts } from "../chain-facts.ts";
import type { TronFacts } from "../facts.ts";
import { trx } from "./amounts.ts";
import type { TronRule } from "./rule.ts";

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
