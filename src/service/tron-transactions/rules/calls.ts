import { addressesInCall } from "../../../chains/tron/calls/addresses-in-call.ts";
import { tokenCallsIn } from "../../../chains/tron/calls/calls-read.ts";
import { isExplained } from "../../../chains/tron/calls/proceeds.ts";
import { payloadOf } from "../../../chains/tron/calls/token-call.ts";
import { tokenSignatures } from "../../../chains/tron/calls/token-signatures.ts";
import { gainingBy } from "../../../chains/tron/counterparty.ts";
import { hexIn, integerIn, messageIn, textIn } from "../../../chains/tron/message/message-value.ts";
import { instructions, opcode, parseHex } from "../../../evm-analysis/machine/code.ts";
import type { TronFacts } from "../facts.ts";
import { trx } from "./resources.ts";
import type { TronRule } from "./rule.ts";

/** A token's selector without its arguments. Some contracts refuse such a call, and others interpret it. */
export const brokenCall: TronRule = ({ call }) =>
  call?.is === "token" && call.isBroken
    ? `the call of ${call.name} does not have the arguments that belong to it`
    : undefined;

/**
 * The code has no function with the selector and delegates to no other code. The call therefore does not do what its
 * name says.
 */
export const callNotInCode: TronRule = ({ call, chain, contract }) => {
  const code = chain?.code;
  if (call === undefined || call.is === "other" || code === undefined || code === "no contract") return undefined;
  const bytes = parseHex(code);
  if (bytes === undefined || selectorsOf(call.name).some((selector) => code.includes(selector))) return undefined;
  for (const [, op] of instructions(bytes)) if (op === opcode.delegatecall || op === opcode.callcode) return undefined;
  return `the contract ${contract?.address} has no ${call.name}`;
};

function selectorsOf(name: string): readonly string[] {
  return Object.entries(tokenSignatures).flatMap(([selector, { signature }]) =>
    signature.startsWith(`${name}(`) ? [selector] : [],
  );
}

/** The interface lets a call leave out its contract. The effect of such a call is unknown. */
export const contractNotNamed: TronRule = ({ type, contract }) =>
  type === "TriggerSmartContract" && contract === undefined
    ? "the call names no contract: what it does cannot be told"
    : undefined;

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

/**
 * A multicall holds a token's own call. The name of the multicall hides which address gets tokens, or the right to take
 * them.
 */
export const tokenCallInside: TronRule = ({ operation, calls, contract, isService }) => {
  if (calls?.call.is !== "other") return undefined;
  for (const { name, call: inner } of tokenCallsIn(calls)) {
    const gaining = gainingBy(inner);
    if (gaining !== undefined && gaining.address !== operation.owner && !isService(gaining.address))
      return `calls ${name} of ${contract?.address} for the ${gaining.role} ${gaining.address}, inside another call`;
  }
  return undefined;
};

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

/** A harmful call can hide behind a thousand harmless ones. */
export const tooManyCalls: TronRule = ({ calls, contract }) =>
  calls?.call.is === "other" && calls.isCut
    ? `holds more calls of ${contract?.address} than were looked at`
    : undefined;

/** An unknown call to a contract that is no known service. Its effect is unknown. */
export const unknownCall: TronRule = ({ call, contract }) =>
  call?.is === "other" && contract !== undefined && !contract.isService
    ? `calls the contract ${contract.address} in a way that cannot be told (${call.selector || "no data"})`
    : undefined;

/** A selector means nothing for a contract without a label, because any contract may have a function of that name. */
export const unknownCallee: TronRule = ({ call, contract, chain }) => {
  if (call?.is !== "token" || contract === undefined || contract.isWellKnown || chain !== undefined) return undefined;
  return `calls ${contract.address}, which no label names, and no node ran the call: it may do something else`;
};

/** Token functions take no money. A contract that takes money with such a call is no token, or keeps the money. */
export const valueWithTokenCall: TronRule = ({ operation, call }) => {
  if (call === undefined || call.is === "other") return undefined;
  const isPaid = ["call_value", "call_token_value"].some((name) => integerIn(operation.value, name) > 0n);
  return isPaid ? `money goes with ${call.name}, which a token does not take` : undefined;
};

/** Money goes to an unknown contract by an unknown call, as in a false "claim". */
export const valueToUnknownContract: TronRule = ({ operation, call, contract }) => {
  if (call?.is !== "other" || contract === undefined || contract.isWellKnown) return undefined;
  const sun = integerIn(operation.value, "call_value");
  const tokens = integerIn(operation.value, "call_token_value");
  if (sun === 0n && tokens === 0n) return undefined;
  const paid = [sun > 0n ? trx(sun) : "", tokens > 0n ? `${tokens} of a TRC-10` : ""].filter((part) => part !== "");
  return `pays ${paid.join(" and ")} to the unknown contract ${contract.address} by a call that cannot be told`;
};

/** Money goes to a newly deployed contract. Its constructor may send the money anywhere. */
export const valueToNewContract: TronRule = ({ operation }) => {
  if (operation.type !== "CreateSmartContract") return undefined;
  const made = messageIn(operation.value, "new_contract");
  const sun = made === undefined ? 0n : integerIn(made, "call_value");
  const tokens = integerIn(operation.value, "call_token_value");
  if (sun === 0n && tokens === 0n) return undefined;
  const paid = [sun > 0n ? trx(sun) : "", tokens > 0n ? `${tokens} of a TRC-10` : ""].filter((part) => part !== "");
  return `pays ${paid.join(" and ")} to the contract that it makes, which may pass it on at once`;
};
