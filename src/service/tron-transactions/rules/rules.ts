import { EFFECT_UNKNOWN } from "../../../api/schemas/transaction-security.ts";
import { accountShared } from "./account-shared.ts";
import { activeChangesPermissions } from "./active-changes-permissions.ts";
import { activeForStrangers } from "./active-for-strangers.ts";
import { activeKeepsPermissions } from "./active-keeps-permissions.ts";
import { activeMovesAssets } from "./active-moves-assets.ts";
import { approvesOthers } from "./approves-others.ts";
import { brokenCall } from "./broken-call.ts";
import { callNotInCode } from "./call-not-in-code.ts";
import { contractNotNamed } from "./contract-not-named.ts";
import { counterfeitAssetName } from "./counterfeit-asset-name.ts";
import { counterfeitToken } from "./counterfeit-token.ts";
import { delegation } from "./delegation.ts";
import { effectUnknown } from "./effect-unknown.ts";
import { exchangeWithoutMinimum } from "./exchange-without-minimum.ts";
import { executionUnclear } from "./execution-unclear.ts";
import { expired } from "./expired.ts";
import { expiresLate } from "./expires-late.ts";
import { highFeeLimit } from "./high-fee-limit.ts";
import { itemOrRevocation } from "./item-or-revocation.ts";
import { keysRemoved } from "./keys-removed.ts";
import { limitedApproval } from "./limited-approval.ts";
import { lockedDelegation } from "./locked-delegation.ts";
import { maliciousAddress } from "./malicious-address.ts";
import { maliciousSite } from "./malicious-site.ts";
import { memoWithLink } from "./memo-with-link.ts";
import { movesOtherTokens } from "./moves-other-tokens.ts";
import { operatorApproval } from "./operator-approval.ts";
import { operatorApprovalToService } from "./operator-approval-to-service.ts";
import { ownerLockedOut } from "./owner-locked-out.ts";
import { ownerNeedsCosigner } from "./owner-needs-cosigner.ts";
import { ownerShared } from "./owner-shared.ts";
import { ownerTakeover } from "./owner-takeover.ts";
import { ownershipGivenAway } from "./ownership-given-away.ts";
import { paidToService } from "./paid-to-service.ts";
import { permanentChange } from "./permanent-change.ts";
import { permissionRefused } from "./permission-refused.ts";
import { permissionUpdate } from "./permission-update.ts";
import { permissionUpdateFromSite } from "./permission-update-from-site.ts";
import { permissionsDropped } from "./permissions-dropped.ts";
import { proceedsStay } from "./proceeds-stay.ts";
import { proceedsToAnother } from "./proceeds-to-another.ts";
import { recipientGetsLess } from "./recipient-gets-less.ts";
import { recipientIsContract } from "./recipient-is-contract.ts";
import { recipientNotActivated } from "./recipient-not-activated.ts";
import { recipientWithoutOwnKey } from "./recipient-without-own-key.ts";
import { resemblesLabel } from "./resembles-label.ts";
import { resemblesOwner } from "./resembles-owner.ts";
import type { Score, TronRule } from "./rule.ts";
import { sanctionedAddress } from "./sanctioned-address.ts";
import { servicePaysStranger } from "./service-pays-stranger.ts";
import { severalOperations } from "./several-operations.ts";
import { signsWithPermission } from "./signs-with-permission.ts";
import { spenderIsWallet } from "./spender-is-wallet.ts";
import { suspiciousSite } from "./suspicious-site.ts";
import { tokenCallInside } from "./token-call-inside.ts";
import { tokenCallNamesStranger } from "./token-call-names-stranger.ts";
import { tokensLeave } from "./tokens-leave.ts";
import { tooManyCalls } from "./too-many-calls.ts";
import { transferFromAnother } from "./transfer-from-another.ts";
import { transferFromSelf } from "./transfer-from-self.ts";
import { transferOfNothing } from "./transfer-of-nothing.ts";
import { transferToBurnAddress } from "./transfer-to-burn-address.ts";
import { transferToSelf } from "./transfer-to-self.ts";
import { transferToToken } from "./transfer-to-token.ts";
import { typeDiffers } from "./type-differs.ts";
import { unexpectedFields } from "./unexpected-fields.ts";
import { unknownCall } from "./unknown-call.ts";
import { unknownCallee } from "./unknown-callee.ts";
import { unknownOperationBits } from "./unknown-operation-bits.ts";
import { unlimitedApproval } from "./unlimited-approval.ts";
import { unlimitedApprovalToService } from "./unlimited-approval-to-service.ts";
import { valueToNewContract } from "./value-to-new-contract.ts";
import { valueToUnknownContract } from "./value-to-unknown-contract.ts";
import { valueWithTokenCall } from "./value-with-token-call.ts";
import { witnessKeyOfStranger } from "./witness-key-of-stranger.ts";
import { worthKnowing } from "./worth-knowing.ts";
import { wouldFail } from "./would-fail.ts";

/**
 * All rules, the highest score first. Names are stable, because clients may act on them. The score is the one that the
 * rule alone gives a transaction. docs/quality.md lists how often each rule fires on ordinary transactions and on
 * attacks.
 */
export const rules = [
  { name: "malicious_address", score: 5, finds: maliciousAddress },
  { name: "sanctioned_address", score: 5, finds: sanctionedAddress },
  { name: "malicious_site", score: 5, finds: maliciousSite },
  { name: "owner_takeover", score: 5, finds: ownerTakeover },
  { name: "owner_shared", score: 5, finds: ownerShared },
  { name: "owner_needs_cosigner", score: 5, finds: ownerNeedsCosigner },
  { name: "owner_locked_out", score: 5, finds: ownerLockedOut },
  { name: "active_changes_permissions", score: 5, finds: activeChangesPermissions },
  { name: "resembles_owner", score: 5, finds: resemblesOwner },
  { name: "resembles_label", score: 5, finds: resemblesLabel },
  { name: "counterfeit_token", score: 5, finds: counterfeitToken },
  { name: "counterfeit_asset_name", score: 5, finds: counterfeitAssetName },
  { name: "active_moves_assets", score: 4, finds: activeMovesAssets },
  { name: "permissions_dropped", score: 4, finds: permissionsDropped },
  { name: "permission_update_from_site", score: 4, finds: permissionUpdateFromSite },
  { name: "transfer_to_token", score: 4, finds: transferToToken },
  { name: "operator_approval", score: 4, finds: operatorApproval },
  { name: "type_differs", score: 4, finds: typeDiffers },
  { name: "moves_other_tokens", score: 4, finds: movesOtherTokens },
  { name: "proceeds_to_another", score: 4, finds: proceedsToAnother },
  { name: "proceeds_stay", score: 4, finds: proceedsStay },
  { name: "approves_others", score: 4, finds: approvesOthers },
  { name: "spender_is_wallet", score: 4, finds: spenderIsWallet },
  { name: "active_keeps_permissions", score: 3, finds: activeKeepsPermissions },
  { name: "active_for_strangers", score: 3, finds: activeForStrangers },
  { name: "permission_refused", score: 3, finds: permissionRefused },
  { name: "suspicious_site", score: 3, finds: suspiciousSite },
  { name: "transfer_to_nobody", score: 3, finds: transferToBurnAddress },
  { name: "unlimited_approval", score: 3, finds: unlimitedApproval },
  { name: "value_to_unknown_contract", score: 3, finds: valueToUnknownContract },
  { name: "value_to_new_contract", score: 3, finds: valueToNewContract },
  { name: "value_with_token_call", score: 3, finds: valueWithTokenCall },
  { name: "broken_call", score: 3, finds: brokenCall },
  { name: "token_call_inside", score: 3, finds: tokenCallInside },
  { name: "token_call_names_stranger", score: 3, finds: tokenCallNamesStranger },
  { name: "too_many_calls", score: 3, finds: tooManyCalls },
  { name: "ownership_given_away", score: 3, finds: ownershipGivenAway },
  { name: "contract_not_named", score: 3, finds: contractNotNamed },
  { name: "several_operations", score: 3, finds: severalOperations },
  { name: "tokens_leave", score: 3, finds: tokensLeave },
  { name: "service_pays_stranger", score: 3, finds: servicePaysStranger },
  { name: "call_not_in_code", score: 3, finds: callNotInCode },
  { name: "execution_unclear", score: 3, finds: executionUnclear },
  { name: "unknown_operation_bits", score: 2, finds: unknownOperationBits },
  { name: "witness_key_of_stranger", score: 2, finds: witnessKeyOfStranger },
  { name: "transfer_to_self", score: 2, finds: transferToSelf },
  { name: "transfer_from_another", score: 2, finds: transferFromAnother },
  { name: "limited_approval", score: 2, finds: limitedApproval },
  { name: "item_or_revocation", score: 2, finds: itemOrRevocation },
  { name: "unknown_callee", score: 2, finds: unknownCallee },
  { name: "locked_delegation", score: 2, finds: lockedDelegation },
  { name: "permanent_change", score: 2, finds: permanentChange },
  { name: "exchange_without_minimum", score: 2, finds: exchangeWithoutMinimum },
  { name: "expires_late", score: 2, finds: expiresLate },
  { name: "memo_with_link", score: 2, finds: memoWithLink },
  { name: "would_fail", score: 2, finds: wouldFail },
  { name: "recipient_without_own_key", score: 2, finds: recipientWithoutOwnKey },
  { name: "recipient_gets_less", score: 2, finds: recipientGetsLess },
  { name: "recipient_is_contract", score: 2, finds: recipientIsContract },
  { name: "permission_update", score: 1, finds: permissionUpdate },
  { name: "unlimited_approval_to_service", score: 1, finds: unlimitedApprovalToService },
  { name: "operator_approval_to_service", score: 1, finds: operatorApprovalToService },
  { name: "transfer_of_nothing", score: 1, finds: transferOfNothing },
  { name: "transfer_from_self", score: 1, finds: transferFromSelf },
  { name: "paid_to_service", score: 1, finds: paidToService },
  { name: EFFECT_UNKNOWN, score: 1, finds: effectUnknown },
  { name: "unknown_call", score: 1, finds: unknownCall },
  { name: "delegation", score: 1, finds: delegation },
  { name: "worth_knowing", score: 1, finds: worthKnowing },
  { name: "unexpected_fields", score: 1, finds: unexpectedFields },
  { name: "signs_with_permission", score: 1, finds: signsWithPermission },
  { name: "expired", score: 1, finds: expired },
  { name: "high_fee_limit", score: 1, finds: highFeeLimit },
  { name: "account_shared", score: 1, finds: accountShared },
  { name: "keys_removed", score: 1, finds: keysRemoved },
  { name: "recipient_not_activated", score: 1, finds: recipientNotActivated },
] as const satisfies readonly { readonly name: string; readonly score: Score; readonly finds: TronRule }[];

export type RuleName = (typeof rules)[number]["name"];
