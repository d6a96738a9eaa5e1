import type { CanonicalAddress } from "../../chains/address.ts";
import type { CoinMove } from "../evm/node.ts";
import { balanceLook, type StateBeforeAfter } from "./balance-snapshot.ts";
import type { EvmTokenMove } from "./event-logs.ts";
import type { BalanceChange } from "./execution.ts";

/** Observations of some accounts during the execution of a transaction. */
export interface ObservedBalances {
  readonly accounts: readonly CanonicalAddress[];
  /** Contracts with balances that were read. */
  readonly tokens: readonly CanonicalAddress[];
  readonly seen: StateBeforeAfter;
  readonly moves: readonly EvmTokenMove[];
  readonly coins: readonly CoinMove[];
}

/**
 * Lists how much of each asset each account gains or loses. A token's own balances count before its event logs. Items
 * are counted by event logs, because a balance does not show which items it counts.
 */
export function balanceChanges({ accounts, tokens, seen, moves, coins }: ObservedBalances): readonly BalanceChange[] {
  return accounts.flatMap((account) => [
    ...coinChange(account, coins),
    ...tokens.flatMap((token) => tokenChange(account, token, seen, moves)),
    ...itemChanges(account, moves),
  ]);
}

function coinChange(account: CanonicalAddress, coins: readonly CoinMove[]): readonly BalanceChange[] {
  const change = net(account, coins);
  return change === 0n
    ? []
    : [{ account, standard: "native", token: undefined, id: undefined, change, before: undefined }];
}

function tokenChange(
  account: CanonicalAddress,
  token: CanonicalAddress,
  seen: StateBeforeAfter,
  moves: readonly EvmTokenMove[],
): readonly BalanceChange[] {
  const own = moves.filter((move) => move.token === token);
  if (own.some(({ standard }) => standard !== "erc20")) return [];
  const looked = seen.of(balanceLook(token, account));
  const change = looked === undefined ? net(account, own) : looked.after - looked.before;
  const standard = own.length === 0 ? "token" : "erc20";
  return change === 0n ? [] : [{ account, standard, token, id: undefined, change, before: looked?.before }];
}

function itemChanges(account: CanonicalAddress, moves: readonly EvmTokenMove[]): readonly BalanceChange[] {
  const items = Map.groupBy(
    moves.filter(({ standard }) => standard !== "erc20"),
    ({ token, standard, id }) => `${token} ${standard} ${id}`,
  );
  return [...items.values()].flatMap((own): readonly BalanceChange[] => {
    const [first] = own;
    const change = net(account, own);
    if (first === undefined || change === 0n) return [];
    const { standard, token, id } = first;
    return [{ account, standard, token, id, change, before: undefined }];
  });
}

function net(
  account: CanonicalAddress,
  moves: readonly { readonly from: string; readonly to: string; readonly amount: bigint }[],
): bigint {
  return moves.reduce(
    (sum, { from, to, amount }) => sum + (to === account ? amount : 0n) - (from === account ? amount : 0n),
    0n,
  );
}
