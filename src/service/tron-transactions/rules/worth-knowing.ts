import type { SupportedType } from "../../../chains/tron/message/contract-types.ts";
import type { TronRule } from "./rule.ts";

/**
 * T14: operations that users rarely intend, by the type alone. They are harmless, but should be read before signing.
 */
const notes: Partial<Readonly<Record<SupportedType, string>>> = {
  AccountCreateContract: "creates an account, for a fee",
  VoteAssetContract: "an operation that no node executes any more",
  AssetIssueContract: "issues a TRC-10, for a fee of 1,024 TRX",
  SetAccountIdContract: "gives the account an id that can never be changed",
  CreateSmartContract: "deploys a contract",
  UpdateSettingContract: "changes who pays for calls of a contract of yours",
  UpdateEnergyLimitContract: "changes what a contract of yours may use",
  UpdateBrokerageContract: "changes the share that your voters get",
  ProposalCreateContract: "proposes to change parameters of the chain",
  ProposalApproveContract: "votes on a proposal to change the chain",
  ProposalDeleteContract: "takes a proposal back",
  ExchangeCreateContract: "puts tokens into an exchange pair of its own",
  ExchangeInjectContract: "puts tokens into an exchange pair",
};

export const worthKnowing: TronRule = ({ operation }) => notes[operation.type];
