import { tokenCallsIn } from "../../../chains/tron/calls/calls-read.ts";
import { integerIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import type { Permission } from "../permissions/permission.ts";
import { userLoses } from "../permissions/permission-gain.ts";
import type { TronRule } from "./rule.ts";

/** T13: a payment to a token's own contract is lost, because no key can send it on. */
export const transferToToken: TronRule = ({ counterparty, contract, chain }) => {
  if (counterparty?.role !== "recipient" && counterparty?.role !== "beneficiary") return undefined;
  const isItself = counterparty.address === contract?.address;
  if (!counterparty.isToken && !isItself && !isTokenCode(chain?.counterpartyCode ?? "")) return undefined;
  return `the ${counterparty.role} ${counterparty.address} is a token's contract: what is sent there is lost`;
};

/**
 * totalSupply(), balanceOf(address) and transfer(address,uint256), as compilers compare a selector: PUSH4 and its
 * bytes.
 */
const tokenFunctions = ["6318160ddd", "6370a08231", "63a9059cbb"];

/** A proxy's code does not show whether it is a token. */
function isTokenCode(code: string): boolean {
  return tokenFunctions.every((compared) => code.includes(compared));
}

/** A burn address has no key. Assets and rights that are given to it are burnt. */
export const transferToBurnAddress: TronRule = ({ counterparty }) =>
  counterparty?.isNobodys === true
    ? `nobody has the key of the ${counterparty.role} ${counterparty.address}`
    : undefined;

/**
 * T13: nodes refuse a transfer of TRX or TRC-10 to the sender. For tokens, such a transfer only costs fees. Tokens that
 * come from another owner are no such transfer.
 */
export const transferToSelf: TronRule = ({ counterparty, call, operation }) => {
  if (counterparty?.role !== "recipient" || !counterparty.isOwner) return undefined;
  const giver = call?.is === "token" && call.call.does === "transfer" ? call.call.from : undefined;
  return giver === undefined || giver === operation.owner ? "the recipient is your own address" : undefined;
};

/**
 * A wallet sends tokens by `transfer`. A transfer of the user's own tokens by an allowance looks like another account's
 * payment.
 */
export const transferFromSelf: TronRule = ({ call, operation, contract }) => {
  if (call?.is !== "token" || call.call.does !== "transfer" || contract?.isToken !== true) return undefined;
  return call.call.from === operation.owner ? `pays with your own tokens by ${call.name}, as by transfer` : undefined;
};

/**
 * T10: the user takes another owner's tokens by an allowance, perhaps inside a multicall. A wallet's user has no reason
 * to do so.
 */
export const transferFromAnother: TronRule = ({ operation, calls }) => {
  if (calls === undefined) return undefined;
  for (const { call: each } of tokenCallsIn(calls)) {
    if (each.does === "transfer" && each.from !== undefined && each.from !== operation.owner)
      return `moves tokens of ${each.from}, who is not you`;
  }
  return undefined;
};

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

/**
 * TRX and TRC-10 transfers do not run the contract's code, so the contract does not notice them. Nodes may also refuse
 * such a transfer.
 */
export const recipientIsContract: TronRule = ({ operation, counterparty, chain }) => {
  const account = chain?.counterparty;
  if (operation.type !== "TransferContract" && operation.type !== "TransferAssetContract") return undefined;
  if (account === undefined || account === "not activated" || !account.isContract) return undefined;
  return `the recipient ${counterparty?.address} is a contract, which does not learn of what is sent to it this way`;
};

/** The recipient was never used: it is a new account, or a mistyped one. */
export const recipientNotActivated: TronRule = ({ counterparty, chain }) =>
  chain?.counterparty === "not activated" && counterparty?.role === "recipient"
    ? `the recipient ${counterparty.address} was never activated`
    : undefined;

/** A permission that no keys reach. Every key that has a say in another permission loses it by this one. */
const nobody: Permission = { name: "", threshold: 1n, keys: [] };

/**
 * T8, the bait with a published seed phrase: the account has tokens but no TRX to send them. A victim that sends TRX
 * finds that the account's own key has no power over it.
 */
export const recipientWithoutOwnKey: TronRule = ({ counterparty, chain }) => {
  const account = chain?.counterparty;
  if (counterparty?.role !== "recipient" || account === undefined || account === "not activated") return undefined;
  if (account.isContract || counterparty.isWellKnown) return undefined;
  // The account's own key counts as powerless when no set of keys needs it to reach the threshold.
  if (userLoses(nobody, account.permissions.owner, counterparty.address)) return undefined;
  return `the recipient ${counterparty.address} is controlled by other keys than its own`;
};

/** The token keeps a part of the payment, or logs no payment at all. */
export const recipientGetsLess: TronRule = ({ call, moves, contract, operation, chain }) => {
  if (chain?.execution?.ended !== "done" || call?.is !== "token" || call.call.does !== "transfer") return undefined;
  const { from = operation.owner, to, amount } = call.call;
  const received = moves.filter((move) => move.token === contract?.address && move.to === to && move.from === from);
  if (from === to || received.some((move) => move.amount === undefined)) return undefined;
  const sum = received.reduce((total, move) => total + (move.amount ?? 0n), 0n);
  return sum < amount ? `says that ${to} gets ${amount} raw units, of which ${sum} arrive` : undefined;
};
