import type { CanonicalAddress } from "../../../chains/address.ts";
import type { ReadCall } from "../../../chains/tron/calls/calls-read.ts";
import type { TronFacts } from "../facts.ts";
import { ZERO_ADDRESS } from "../recognized-address.ts";
import type { TronRule } from "./rule.ts";

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
