import type { TronRule } from "./rule.ts";

/** TRX and TRC-10 are sent past a contract's code, which does not hear of them; nodes may refuse it, too. */
export const recipientIsContract: TronRule = ({ operation, counterparty, chain }) => {
  const account = chain?.counterparty;
  if (operation.type !== "TransferContract" && operation.type !== "TransferAssetContract") return undefined;
  if (account === undefined || account === "not activated" || !account.isContract) return undefined;
  return `the recipient ${counterparty?.address} is a contract, which does not learn of what is sent to it this way`;
};
