import type { ScoredRule } from "../../rules/rule-engine.ts";
import type { EvmFacts } from "../facts.ts";
import {
  approvesOthers,
  delegatesAccount,
  delegatesToService,
  delegatesToWallet,
  limitedApproval,
  mayGiveItem,
  operatorApproval,
  permitToStranger,
  spenderIsNew,
  spenderIsWallet,
  unlimitedApproval,
  unlimitedApprovalToService,
} from "./approvals.ts";
import {
  assetsLeave,
  drainsBalance,
  mostOfAssetLeaves,
  movesOtherTokens,
  refundToStranger,
  severalAssetsLeave,
} from "./outflows.ts";
import {
  maliciousAddress,
  moduleAdded,
  ownershipGivenAway,
  proceedsToStranger,
  recipientOnOtherChain,
  resemblesLabel,
  resemblesUser,
  sanctionedAddress,
  tradesAtAnyPrice,
  transferToBurnAddress,
  transferToToken,
} from "./recipients.ts";
import { executionUnclear, wouldFail } from "./run.ts";
import {
  brokenCall,
  createsContract,
  foreignCode,
  tooManyCalls,
  unknownCall,
  unknownCallee,
  unknownCallOfService,
  valueToUnknownContract,
} from "./unexplained.ts";

/**
 * All rules, the highest score first. Names are stable, because clients may act on them. Scores have the scale of TRON
 * transactions.
 */
export const rules = [
  { name: "malicious_address", score: 5, finds: maliciousAddress },
  { name: "sanctioned_address", score: 5, finds: sanctionedAddress },
  { name: "resembles_user", score: 5, finds: resemblesUser },
  { name: "resembles_label", score: 5, finds: resemblesLabel },
  { name: "delegates_account", score: 4, finds: delegatesAccount },
  { name: "foreign_code", score: 4, finds: foreignCode },
  { name: "operator_approval", score: 4, finds: operatorApproval },
  { name: "module_added", score: 4, finds: moduleAdded },
  { name: "spender_is_wallet", score: 4, finds: spenderIsWallet },
  { name: "several_assets_leave", score: 4, finds: severalAssetsLeave },
  { name: "most_of_asset_leaves", score: 4, finds: mostOfAssetLeaves },
  { name: "moves_other_tokens", score: 4, finds: movesOtherTokens },
  { name: "approves_others", score: 4, finds: approvesOthers },
  { name: "transfer_to_token", score: 4, finds: transferToToken },
  { name: "unlimited_approval", score: 3, finds: unlimitedApproval },
  { name: "permit_to_stranger", score: 3, finds: permitToStranger },
  { name: "refund_to_stranger", score: 3, finds: refundToStranger },
  { name: "delegates_to_service", score: 3, finds: delegatesToService },
  { name: "spender_is_new", score: 3, finds: spenderIsNew },
  { name: "assets_leave", score: 3, finds: assetsLeave },
  { name: "execution_unclear", score: 3, finds: executionUnclear },
  { name: "drains_balance", score: 3, finds: drainsBalance },
  { name: "value_to_unknown_contract", score: 3, finds: valueToUnknownContract },
  { name: "broken_call", score: 3, finds: brokenCall },
  { name: "too_many_calls", score: 3, finds: tooManyCalls },
  { name: "ownership_given_away", score: 3, finds: ownershipGivenAway },
  { name: "proceeds_to_stranger", score: 3, finds: proceedsToStranger },
  { name: "transfer_to_nobody", score: 3, finds: transferToBurnAddress },
  { name: "would_fail", score: 2, finds: wouldFail },
  { name: "may_give_item", score: 2, finds: mayGiveItem },
  { name: "limited_approval", score: 2, finds: limitedApproval },
  { name: "unknown_call", score: 2, finds: unknownCall },
  { name: "unknown_callee", score: 2, finds: unknownCallee },
  { name: "trade_at_any_price", score: 2, finds: tradesAtAnyPrice },
  { name: "recipient_on_other_chain", score: 2, finds: recipientOnOtherChain },
  { name: "creates_contract", score: 2, finds: createsContract },
  { name: "unknown_call_of_service", score: 1, finds: unknownCallOfService },
  { name: "delegates_to_wallet", score: 1, finds: delegatesToWallet },
  { name: "unlimited_approval_to_service", score: 1, finds: unlimitedApprovalToService },
] as const satisfies readonly ScoredRule<EvmFacts>[];
