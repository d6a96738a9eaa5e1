import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";

/**
 * Most bytes of an account's data that are kept. Token accounts and mints are smaller, and the code of programs is not
 * needed.
 */
const MAX_SHOWN_BYTES = 16_384;

/** The account, without its data when the data is larger than any data that is read. */
export function truncatedData(account: AccountState): AccountState {
  return account.data.length > MAX_SHOWN_BYTES ? { ...account, data: new Uint8Array() } : account;
}
