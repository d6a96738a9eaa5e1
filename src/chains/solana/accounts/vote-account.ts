import { keyText } from "../key.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/**
 * Versions 1 to 3 begin with the identity of the validator and the withdrawer. Version 0 is an unused account. Source:
 * VoteStateVersions.
 */
const IDENTITY_AT = 4;
const WITHDRAWER_AT = 36;
const versions: ReadonlySet<number | undefined> = new Set([1, 2, 3]);

/** The authority that may withdraw the lamports of a vote account. Undefined for any other account. */
export function voteWithdrawerOf(state: AccountState): string | undefined {
  return keyAt(state, WITHDRAWER_AT);
}

/**
 * The validator that votes through the account and earns the rewards of its blocks. Undefined for any other account.
 */
export function voteIdentityOf(state: AccountState): string | undefined {
  return keyAt(state, IDENTITY_AT);
}

function keyAt({ owner, data }: AccountState, at: number): string | undefined {
  if (owner !== programs.vote || !versions.has(data[0]) || data.length < WITHDRAWER_AT + 32) return undefined;
  return keyText(data.subarray(at, at + 32));
}
