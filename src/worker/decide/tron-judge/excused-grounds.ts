import type { TransactionSecurityResponse } from "../../../api/schemas/transaction-security.ts";
import type { OwnPartiesEvidence, OwnRole } from "../../../messages/evidence.ts";

type Security = TransactionSecurityResponse["data"]["security"];

/**
 * Findings that only say that somebody is a stranger, by the role in which the worker found the user's own addresses.
 * Each has the score that docs/tron-transactions.md gives it.
 */
export const strangerFindings: Readonly<Record<OwnRole, Readonly<Record<string, number>>>> = {
  spender: { unlimited_approval: 3, limited_approval: 2, operator_approval: 4, spender_is_wallet: 4 },
  giver: { transfer_from_another: 2 },
  receiver: { locked_delegation: 2 },
  beneficiary: { proceeds_to_another: 4 },
  keys: {
    owner_takeover: 5,
    owner_shared: 5,
    owner_needs_cosigner: 5,
    active_changes_permissions: 5,
    active_moves_assets: 4,
    permissions_dropped: 4,
    active_keeps_permissions: 3,
    active_for_strangers: 3,
    witness_key_of_stranger: 2,
  },
};

/** Findings that inform, and may stand beside the ones above. */
export const notesBeside: ReadonlySet<string> = new Set([
  "permission_update",
  "keys_removed",
  "signs_with_permission",
  "high_fee_limit",
  "account_shared",
]);

/** Text that may be an address of TRON. */
const addressLike = /T[1-9A-HJ-NP-Za-km-z]{33}/g;

/**
 * Whether "a stranger" is the only ground of a service's WARN or BLOCK, and every such stranger is one of the user's
 * own addresses. Any other finding, any other score and any other address in a text keeps the recommendation.
 */
export function isExcused(
  { overall_score: score, risk_details: details }: Security,
  { role, own, beside }: OwnPartiesEvidence,
): boolean {
  const scores = strangerFindings[role];
  const grounds = details.filter(({ name }) => Object.hasOwn(scores, name));
  const isRest = details.every(({ name }) => Object.hasOwn(scores, name) || notesBeside.has(name));
  // Another service may use the same names for something worse. Then its score says so.
  const explained = Math.max(0, ...grounds.map(({ name }) => scores[name] ?? 0));
  const known = new Set([...own, ...beside]);
  const isAboutOwn = details.every(({ description }) =>
    (description.match(addressLike) ?? []).every((address) => known.has(address)),
  );
  return grounds.length > 0 && isRest && explained === score && isAboutOwn;
}
