import type { AccountState } from "./account-state.ts";
import { codeAuthorityOf } from "./code-account.ts";
import { nonceAuthorityOf } from "./nonce-account.ts";
import { withdrawerOf } from "./stake-account.ts";
import { readTokenAccount } from "./token-account.ts";
import { voteWithdrawerOf } from "./vote-account.ts";

/**
 * The address that may take the lamports of an account that is not a wallet. It is one of these:
 * - the authority of a durable nonce,
 * - the withdrawer of a stake account or a vote account,
 * - the authority that may close a token account or a program's code.
 *
 * Undefined for wallets, and for accounts that only their program can read.
 */
export function controllerOf(state: AccountState): string | undefined {
  const tokens = readTokenAccount(state);
  if (tokens !== undefined) return tokens.closeAuthority ?? tokens.owner;
  return nonceAuthorityOf(state) ?? withdrawerOf(state) ?? voteWithdrawerOf(state) ?? codeAuthorityOf(state);
}
