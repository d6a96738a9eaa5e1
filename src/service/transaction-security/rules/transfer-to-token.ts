import type { Finds } from "./rule.ts";

/** T13: what is sent to a token's own contract is lost, as nobody can send it from there. */
export const transferToToken: Finds = ({ counterparty, contract }) => {
  if (counterparty?.role !== "recipient") return undefined;
  const isItself = counterparty.address === contract?.address;
  if (!counterparty.isToken && !isItself) return undefined;
  return `the recipient ${counterparty.address} is a token's contract: what is sent there is lost`;
};
