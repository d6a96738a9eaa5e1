import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import { field, wholeNumber } from "./account-json.ts";

/**
 * Whether a node's own balances before the run (`preBalances`, `preTokenBalances`, by index) equal those of the
 * accounts that were read. False where the node reports none: older nodes leave them out, or return null.
 */
export function agrees(
  value: unknown,
  addresses: readonly string[],
  places: readonly number[],
  accounts: ReadonlyMap<string, AccountState | undefined>,
): boolean {
  const lamports = field(value, "preBalances");
  const tokens = field(value, "preTokenBalances");
  if (!Array.isArray(lamports) || !Array.isArray(tokens)) return false;
  const amounts = new Map(
    tokens.map((each) => [
      Number(wholeNumber(field(each, "accountIndex"))),
      `${field(each, "mint")} ${field(each, "owner")} ${field(field(each, "uiTokenAmount"), "amount")}`,
    ]),
  );
  return addresses.every((address, i) => {
    const place = places[i] ?? -1;
    const account = accounts.get(address);
    const held = account === undefined ? undefined : readTokenAccount(account);
    const said = held === undefined ? undefined : `${held.mint} ${held.owner} ${held.amount}`;
    return wholeNumber(lamports[place]) === (account?.lamports ?? 0n) && amounts.get(place) === said;
  });
}
