import type { TronRule } from "./rule.ts";

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
