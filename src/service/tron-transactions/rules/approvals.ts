import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ReadCall } from "../../../chains/tron/calls/calls-read.ts";
import { UNBOUNDED } from "../../../chains/tron/calls/payout.ts";
import { aboutParty } from "../../labels/about-address.ts";
import type { TronFacts } from "../facts.ts";
import { ZERO_ADDRESS } from "../recognized-address.ts";
import type { TokenGrant } from "../token-moves.ts";
import type { TronRule } from "./rule.ts";

/** A token approval. `toService` is true when the spender is labelled as a service. */
export interface TronApproval {
  readonly spender: CanonicalAddress;
  /** True for an unlimited amount, and for at least the user's whole balance. */
  readonly isEverything: boolean;
  readonly toService: boolean;
  /** The spender's label as text. Undefined for a spender without a label. */
  readonly labelled?: string | undefined;
}

/** The approval that a transaction gives. Undefined for a revocation. */
export function approvalIn({ call, counterparty, chain }: TronFacts): TronApproval | undefined {
  if (call?.is !== "token" || call.call.does !== "approve" || counterparty?.role !== "spender") return undefined;
  const { spender, amount } = call.call;
  const balance = chain?.tokenBalance ?? 0n;
  const isEverything = amount >= UNBOUNDED || (balance > 0n && amount >= balance);
  return { spender, isEverything, toService: counterparty.isService, labelled: counterparty.labelled };
}

/**
 * T9: a spender without limit can take all present and future tokens. Only spenders that are no labelled service count.
 */
export const unlimitedApproval: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || approval.toService || !approval.isEverything) return undefined;
  return `lets ${approval.spender}, ${aboutParty(approval)}, take all your tokens of this kind at any time`;
};

/** Unlimited approvals of services are usual, but allow more than a single use needs. */
export const unlimitedApprovalToService: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || !approval.toService || !approval.isEverything) return undefined;
  return `lets the labelled service ${approval.spender} take all your tokens of this kind at any time`;
};

/** T9: a limited allowance for an unknown spender. */
export const limitedApproval: TronRule = (facts) => {
  const approval = approvalIn(facts);
  if (approval === undefined || approval.toService || approval.isEverything) return undefined;
  return `lets ${approval.spender}, ${aboutParty(approval)}, take some of your tokens at any time`;
};

/**
 * `approve(spender, 0)` revokes a TRC-20 allowance, but gives away item 0 of a TRC-721 collection. Both standards use
 * the same selector. Only a vouched token, or the events of an execution, show which one is meant.
 */
export const itemOrRevocation: TronRule = (facts) => {
  const { calls, contract } = facts;
  if (calls === undefined || contract === undefined || contract.isTrustedToken) return undefined;
  const spender = calls.calls.map(approvedOfNothing).find((each) => each !== undefined && isUnclear(each, facts));
  return spender === undefined
    ? undefined
    : `approves of 0 for ${spender}: takes an allowance back if ${contract.address} is a token, and gives the item 0 away if it is a collection`;
};

/** approve(address,uint256) */
const APPROVE = "095ea7b3";

function approvedOfNothing({ data, reading }: ReadCall): CanonicalAddress | undefined {
  if (!data.startsWith(APPROVE) || reading.is !== "token" || reading.call.does !== "approve") return undefined;
  return reading.call.amount === 0n ? reading.call.spender : undefined;
}

function isUnclear(spender: CanonicalAddress, { operation, contract, grants, isService }: TronFacts): boolean {
  if (spender === operation.owner || spender === ZERO_ADDRESS || isService(spender)) return false;
  const written = grants.filter((grant) => grant.token === contract?.address && grant.spender === spender);
  return written.length === 0 || written.some(({ amount }) => amount > 0n);
}

/** T10: an operator may take every item of a collection. */
export const operatorApproval: TronRule = (facts) =>
  isOperatorNamed(facts) && facts.counterparty?.isService === false
    ? `lets ${facts.counterparty.address}, ${aboutParty(facts.counterparty)}, take every item you have in this collection`
    : undefined;

/** True when setApprovalForAll grants the right. False when it revokes the right. */
export function isOperatorNamed({ call, counterparty }: TronFacts): boolean {
  return call?.is === "token" && call.call.does === "approve_all" && counterparty?.role === "spender";
}

/** Marketplaces ask for this approval before a sale. */
export const operatorApprovalToService: TronRule = (facts) =>
  isOperatorNamed(facts) && facts.counterparty?.isService === true
    ? `lets the labelled service ${facts.counterparty.address} take every item you have in this collection`
    : undefined;

/** The execution gives a spender a right to the user's tokens that the call does not state. */
export const approvesOthers: TronRule = (facts) => {
  const found = facts.grants.find((grant) => isHidden(grant, facts));
  return found === undefined
    ? undefined
    : `lets ${found.spender} take your tokens of ${found.token}, without saying so`;
};

function isHidden(
  { giver, spender, token, amount }: TokenGrant,
  { operation, call, contract, counterparty, isService }: TronFacts,
) {
  if (giver !== operation.owner || spender === giver || amount === 0n || isService(spender)) return false;
  // Old tokens log the remaining allowance when an exchange uses a part of it.
  if (call?.is === "other") return spender !== contract?.address;
  if (call?.is === "token" && call.call.does === "reduce") return spender !== call.call.spender;
  return token !== contract?.address || counterparty?.role !== "spender" || spender !== counterparty.address;
}

/** T9: no exchange spends from a wallet. A wallet that asks for the whole balance belongs to a thief. */
export const spenderIsWallet: TronRule = (facts) => {
  const approval = approvalIn(facts);
  const spender = facts.chain?.counterparty;
  if (approval === undefined || !approval.isEverything || approval.toService || spender === undefined) return undefined;
  if (spender !== "not activated" && spender.isContract) return undefined;
  return `lets ${approval.spender}, which is no contract but somebody's wallet, take all your tokens of this kind`;
};

/** The owner, a role holder or the implementation of a contract has the owner's power over it. */
export const ownershipGivenAway: TronRule = ({ call, contract }) =>
  call?.is === "token" && call.call.does === "give_ownership"
    ? `gives ${call.call.to} power over the contract ${contract?.address}, by ${call.name}`
    : undefined;
