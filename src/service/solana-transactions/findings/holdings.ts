import type { AccountState, Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { controllerOf } from "../../../chains/solana/accounts/controller.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import { programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import type { Simulation } from "../simulator.ts";

/**
 * All SOL of somebody, in the smallest unit, as far as the transaction may write it: in the wallet, and in the token
 * accounts (wrapped, or beside the tokens), durable nonces, stakes, vote accounts, code and derived accounts that he may empty. It only changes its form from one to another.
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
 * Who may take what an account holds, by what it says of itself, or else by the seed that its address is derived with; the
 * latter as long as no program has it.
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
