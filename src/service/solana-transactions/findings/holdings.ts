import type { AccountState, Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { controllerOf } from "../../../chains/solana/accounts/controller.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import { programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import type { Simulation } from "../simulator.ts";

/**
 * Sums all SOL of an owner, in lamports, over the accounts that the transaction may write. The sum covers the wallet
 * and the accounts that the owner may empty. They are token accounts (wrapped SOL, or lamports beside tokens), durable
 * nonces, stakes, vote accounts, code, and derived accounts. SOL that moves between accounts of one owner is no loss.
 */
export function solOf(
  who: string,
  { before, after }: Simulation,
  derived: ReadonlyMap<string, string>,
): { readonly begin: bigint; readonly end: bigint } {
  return { begin: lamportsOf(who, before, derived), end: lamportsOf(who, after, derived) };
}

function lamportsOf(who: string, accounts: Accounts, derived: ReadonlyMap<string, string>): bigint {
  let sum = 0n;
  for (const [address, state] of accounts) {
    const tokens = readTokenAccount(state);
    const holder = tokens?.mint === WRAPPED_SOL ? tokens.owner : holderOf(address, state, derived);
    if (address === who || holder === who) sum += state.lamports;
  }
  return sum;
}

/**
 * The address that may take what an account holds. The state of the account names it. Otherwise it is the address that
 * the account is derived from, as long as the account belongs to no program.
 */
export function holderOf(
  address: string,
  state: AccountState | undefined,
  derived: ReadonlyMap<string, string>,
): string | undefined {
  if (state === undefined) return derived.get(address);
  const isWallet = state.owner === programs.system && state.data.length === 0;
  return controllerOf(state) ?? (isWallet ? derived.get(address) : undefined);
}
