import { hexIn, textIn } from "../../chains/tron/message-value.ts";
import { isExplained } from "../../chains/tron/proceeds.ts";
import { payloadOf } from "../../chains/tron/token-call.ts";
import type { Facts } from "./facts.ts";

/** What was asked for and needs a node, so that it was not looked at. */
const EXECUTION = "execution";
/** A call whose effect neither its data nor an execution tells. */
const CALL = "call";

/** What a TRC-10 is called that comes in for what is paid. */
const ASSETS = "assets";

/** What an answer about a transaction leaves open. */
export function notAnalysed(facts: Facts, simulate: boolean): readonly string[] {
  // A constructor is code, too, and is not run. A call that names no contract cannot be.
  const isSeen = facts.chain !== undefined && facts.type !== "CreateSmartContract" && !isCallOfNone(facts);
  return [
    ...(simulate && !isSeen ? [EXECUTION] : []),
    ...(isOpenCall(facts) ? [CALL] : []),
    ...(buysUnseen(facts) ? [ASSETS] : []),
  ];
}

/** By its id nobody knows what is bought; of the other side of a pair the transaction does not even say that. */
function buysUnseen({ operation, chain }: Facts): boolean {
  if (chain !== undefined) return false;
  const { type } = operation;
  if (type === "ExchangeTransactionContract" || type === "ExchangeCreateContract") return true;
  return type === "MarketSellAssetContract" && textIn(operation.value, "buy_token_id") !== COINS;
}

/** How exchanges write TRX. */
const COINS = "_";

/** By a contract that is not known any function does anything, whatever it is called; a service what a token tells it to. */
function isOpenCall(facts: Facts): boolean {
  const { operation, call, calls, contract, counterparty, chain } = facts;
  if (isCallOfNone(facts)) return true;
  if (call === undefined || calls === undefined || contract === undefined || chain !== undefined) return false;
  if (call.is === "token")
    return counterparty?.isLabelledService === true && payloadOf(hexIn(operation.value, "data")) !== "";
  const isKnown = contract.isService || contract.isTrustedToken;
  return !isKnown || !isExplained(calls);
}

function isCallOfNone({ type, contract }: Facts): boolean {
  return type === "TriggerSmartContract" && contract === undefined;
}
