import type { Finds } from "./rule.ts";

/** T11: the contract that is called was made to be taken for a well-known token or protocol. */
export const counterfeitToken: Finds = ({ contract, counterparty }) => {
  // Where the contract itself is the one dealt with, `resembles_label` says it.
  if (contract?.imitated === undefined || counterparty?.address === contract.address) return undefined;
  return `the contract ${contract.address} looks like ${contract.imitated.name} (${contract.imitated.address}) and is another`;
};
