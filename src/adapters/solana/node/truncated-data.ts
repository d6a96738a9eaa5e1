import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";

/** Most bytes of an account's data that are shown: token accounts and mints are smaller, programs need not be seen. */
const MAX_SHOWN_BYTES = 16_384;

/** The account without data that is larger than anything that is read. */
export function truncatedData(account: AccountState): AccountState {
  return account.data.length > MAX_SHOWN_BYTES ? { ...account, data: new Uint8Array() } : account;
}
