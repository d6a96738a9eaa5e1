import type { Accounts } from "../../chains/solana/accounts/account-state.ts";
import { readMint } from "../../chains/solana/accounts/mint.ts";
import { readTokenAccount } from "../../chains/solana/accounts/token-account.ts";
import { type Change, NATIVE, NATIVE_DECIMALS, type TokenChanges } from "../../chains/solana/rules/token-changes.ts";
import type { Simulation } from "./simulator.ts";

/**
 * Lists every balance that the transaction changes. Lamports belong to the account that holds them, and token accounts
 * are listed with their rent. The changes in lamports therefore add up to the fees that are paid. Tokens belong to the
 * owner of the token account. The tokens of one owner are added up over all accounts that the transaction may write.
 */
export function balanceChanges({ before, after, mints }: Simulation): readonly TokenChanges[] {
  const addresses = new Set([...before.keys(), ...after.keys()]);
  const native = new Holdings();
  const byMint = new Map<string, Holdings>();
  for (const address of addresses) {
    native.add(address, before.get(address)?.lamports ?? 0n, after.get(address)?.lamports ?? 0n);
    for (const [accounts, isAfter] of [[before, false] as const, [after, true] as const]) {
      const held = tokensAt(accounts, address);
      if (held === undefined) continue;
      const holdings = byMint.get(held.mint) ?? new Holdings();
      byMint.set(held.mint, holdings);
      holdings.add(held.owner, isAfter ? 0n : held.amount, isAfter ? held.amount : 0n);
    }
  }
  const tokens = [...byMint].map(([mint, holdings]) => {
    const account = mints.get(mint);
    const decimals = account === undefined ? undefined : readMint(account)?.decimals;
    return { mint, decimals, changes: holdings.changed() };
  });
  const all = [{ mint: NATIVE, decimals: NATIVE_DECIMALS, changes: native.changed() }, ...tokens];
  return all.filter(({ changes }) => changes.length > 0);
}

function tokensAt(accounts: Accounts, address: string) {
  const account = accounts.get(address);
  return account === undefined ? undefined : readTokenAccount(account);
}

class Holdings {
  readonly #byHolder = new Map<string, { begin: bigint; end: bigint }>();

  add(holder: string, begin: bigint, end: bigint): void {
    const held = this.#byHolder.get(holder) ?? { begin: 0n, end: 0n };
    this.#byHolder.set(holder, { begin: held.begin + begin, end: held.end + end });
  }

  changed(): Change[] {
    return [...this.#byHolder].flatMap(([holder, { begin, end }]) => (begin === end ? [] : [{ holder, begin, end }]));
  }
}
