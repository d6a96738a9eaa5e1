import type { CanonicalAddress } from "../../../chains/address.ts";
import { callsInside } from "../../../chains/tron/calls-inside.ts";
import { hexIn } from "../../../chains/tron/message-value.ts";
import { readTokenCall } from "../../../chains/tron/token-call.ts";
import type { Facts } from "../facts.ts";
import { ZERO_ADDRESS } from "../known-address.ts";
import type { Finds } from "./rule.ts";

/**
 * `approve(somebody, 0)` takes an allowance of TRC-20 back, and gives away the item with the id 0 of TRC-721: both have one
 * selector. So of a contract that is not labelled as a token nobody can tell, unless an execution shows what was written down.
 */
export const itemOrRevocation: Finds = (facts) => {
  const { operation, call, contract } = facts;
  if (operation === undefined || call === undefined || contract === undefined || contract.isToken) return undefined;
  const { calls } = callsInside(hexIn(operation.value, "data"));
  const spender = calls.map(approvedOfNothing).find((each) => each !== undefined && isUnclear(each, facts));
  return spender === undefined
    ? undefined
    : `approves of 0 for ${spender}: takes an allowance back if ${contract.address} is a token, and gives the item 0 away if it is a collection`;
};

/** approve(address,uint256) */
const APPROVE = "095ea7b3";

function approvedOfNothing(data: string): CanonicalAddress | undefined {
  const reading = readTokenCall(data);
  if (!data.startsWith(APPROVE) || reading.is !== "token" || reading.call.does !== "approve") return undefined;
  return reading.call.amount === 0n ? reading.call.spender : undefined;
}

function isUnclear(spender: CanonicalAddress, { operation, contract, grants, isService }: Facts): boolean {
  if (spender === operation?.owner || spender === ZERO_ADDRESS || isService(spender)) return false;
  const written = grants.filter((grant) => grant.token === contract?.address && grant.spender === spender);
  return written.length === 0 || written.some(({ amount }) => amount > 0n);
}
