import { isExplained } from "../../../chains/tron/calls/proceeds.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import { hexIn, textIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import type { TronRule } from "./rule.ts";

/** Neither the transaction nor an execution shows the effect. A plain ALLOW would claim more than the service knows. */
export const effectUnknown: TronRule = (facts) => {
  if (isOpenCall(facts)) return "neither the data of the call nor an execution tells what it does";
  return buysUnseen(facts) ? "the name of the TRC-10 that comes in is not known without a node" : undefined;
};

/** Without a node, the name of a TRC-10 is unknown. An exchange pair does not even show the id of its other side. */
function buysUnseen({ operation, chain }: TronFacts): boolean {
  if (chain !== undefined) return false;
  const { type } = operation;
  if (type === "ExchangeTransactionContract" || type === "ExchangeCreateContract") return true;
  return type === "MarketSellAssetContract" && textIn(operation.value, "buy_token_id") !== COINS;
}

/** The symbol for TRX in exchange operations. */
const COINS = "_";

/**
 * An unknown contract may do anything under any selector. When a token forwards data to a service, the service decides
 * what happens.
 */
function isOpenCall(facts: TronFacts): boolean {
  const { operation, call, calls, contract, counterparty, chain, type } = facts;
  if (type === "TriggerSmartContract" && contract === undefined) return true;
  if (call === undefined || calls === undefined || contract === undefined || chain !== undefined) return false;
  if (call.is === "token")
    return counterparty?.isLabelledService === true && payloadOf(hexIn(operation.value, "data")) !== "";
  const isKnown = contract.isService || contract.isTrustedToken;
  return !isKnown || !isExplained(calls);
}
