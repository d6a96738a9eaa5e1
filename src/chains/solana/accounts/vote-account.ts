import { keyText } from "../key.ts";
import { programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/** Versions 1 to 3 begin with the validator's identity and the withdrawer; version 0 is an account that was never used. Source: VoteStateVersions. */
const IDENTITY_AT = 4;
const WITHDRAWER_AT = 36;
const versions: ReadonlySet<number | undefined> = new Set([1, 2, 3]);

/** Who may withdraw the lamports of a vote account; undefined for any other account. */
export function voteWithdrawerOf(state: AccountState): string | undefined {
  return keyAt(state, WITHDRAWER_AT);
}

/** The validator that votes by the account, and gets what blocks earn; undefined for any other account. */
export function voteIdentityOf(state: AccountState): string | undefined {
  return keyAt(state, IDENTITY_AT);
}

function keyAt({ owner, data }: AccountState, at: number): string | undefined {
  if (owner !== programs.vote || !versions.has(data[0]) || data.length < WITHDRAWER_AT + 32) return undefined;
  return keyText(data.subarray(at, at + 32));
}
