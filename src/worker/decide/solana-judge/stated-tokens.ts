import { NATIVE, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import type { PlainTransfers, TokenTransfer } from "./plain-transfers.ts";

/**
 * Compares the balances with the tokens that the instructions state. Returns the differences in words. Instructions
 * name token accounts, but balances name their owners. The owner is known if it is the authority, or if the transaction
 * creates its account.
 */
export function tokensMissing(plain: PlainTransfers, changes: readonly TokenChanges[]): readonly string[] {
  const shown = changes.filter(({ mint }) => mint !== NATIVE);
  const transfers = plain.tokens.map((each) => ({ ...each, mint: each.mint ?? mintByAccounts(each, plain) }));
  return [
    ...lossesNotStated(transfers, shown),
    ...mintsNotShown(transfers, shown),
    ...gainsNotStated(transfers, shown),
    ...madeNotPaid(transfers, plain, shown),
  ];
}

function mintByAccounts({ source, destination }: TokenTransfer, { made }: PlainTransfers): string | undefined {
  return made.find(({ account }) => account === destination || account === source)?.mint;
}

/**
 * An authority that sends tokens loses as many, and no other holder loses any. The check fails for an authority that
 * sends another owner's tokens, and for transfers that come back.
 */
function lossesNotStated(transfers: readonly TokenTransfer[], shown: readonly TokenChanges[]): readonly string[] {
  const sent = new Map<string, bigint>();
  for (const { authority, amount } of transfers) sent.set(authority, (sent.get(authority) ?? 0n) + amount);
  const losing = shown.flatMap(({ changes }) => changes.filter(({ begin, end }) => end < begin));
  const lost = new Map<string, bigint>();
  for (const { holder, begin, end } of losing) lost.set(holder, (lost.get(holder) ?? 0n) + begin - end);
  return [...new Set([...sent.keys(), ...lost.keys()])].flatMap((account) => {
    const stated = sent.get(account) ?? 0n;
    const told = lost.get(account) ?? 0n;
    if (stated === told) return [];
    return [
      stated > 0n
        ? `${account} sends tokens that no balance shows`
        : `${account} loses tokens that no instruction sends`,
    ];
  });
}

/** For transfers that name their token, the authority loses as much of that token, and the decimals agree. */
function mintsNotShown(transfers: readonly TokenTransfer[], shown: readonly TokenChanges[]): readonly string[] {
  const least = new Map<string, Map<string, bigint>>();
  for (const { mint, authority, amount } of transfers) {
    if (mint === undefined) continue;
    const byAuthority = least.get(mint) ?? new Map<string, bigint>();
    least.set(mint, byAuthority.set(authority, (byAuthority.get(authority) ?? 0n) + amount));
  }
  const missing = [...least].filter(([mint, byAuthority]) => {
    const changes = shown.filter((each) => each.mint === mint).flatMap((each) => each.changes);
    const lost = new Map(changes.map(({ holder, begin, end }) => [holder, begin - end]));
    return [...byAuthority].some(([authority, amount]) => (lost.get(authority) ?? 0n) < amount);
  });
  const otherwise = transfers.flatMap(({ mint, decimals }) => {
    const told = shown.find((each) => each.mint === mint)?.decimals;
    return mint === undefined || decimals === undefined || (told ?? decimals) === decimals ? [] : [mint];
  });
  return [
    ...missing.map(([mint]) => `the tokens ${mint} that are sent are not those that the balances show`),
    ...otherwise.map((mint) => `the tokens ${mint} have other decimals than the instruction states`),
  ];
}

/** A plain transfer neither mints nor burns tokens, and a destination has only one owner. */
function gainsNotStated(transfers: readonly TokenTransfer[], shown: readonly TokenChanges[]): readonly string[] {
  const uneven = shown.filter(({ changes }) => changes.reduce((sum, { begin, end }) => sum + end - begin, 0n) !== 0n);
  const gains = shown.flatMap(({ changes }) => changes.flatMap(({ begin, end }) => (end > begin ? end - begin : [])));
  const paid = new Map<string, bigint>();
  for (const { destination, amount } of transfers) paid.set(destination, (paid.get(destination) ?? 0n) + amount);
  const isShared = gains.length > paid.size || (gains.length === paid.size && !isSame(gains, [...paid.values()]));
  return [
    ...uneven.map(({ mint }) => `of the tokens ${mint} the balances show other gains than losses`),
    ...(isShared ? ["the balances show other gains of tokens than the instructions pay"] : []),
  ];
}

function isSame(some: readonly bigint[], others: readonly bigint[]): boolean {
  const ordered = (all: readonly bigint[]) => all.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const right = ordered(others);
  return ordered(some).every((each, i) => each === right[i]);
}

/** Tokens that are sent to a new account belong to its wallet. A wallet that also sends tokens is not checked. */
function madeNotPaid(
  transfers: readonly TokenTransfer[],
  { made }: PlainTransfers,
  shown: readonly TokenChanges[],
): readonly string[] {
  return made.flatMap(({ account, wallet, mint }) => {
    const due = transfers.reduce((sum, each) => (each.destination === account ? sum + each.amount : sum), 0n);
    if (due === 0n || transfers.some(({ authority }) => authority === wallet)) return [];
    const changes = shown.filter((each) => each.mint === mint).flatMap((each) => each.changes);
    const told = changes.find(({ holder }) => holder === wallet);
    return told !== undefined && told.end - told.begin >= due ? [] : [`${wallet} gets tokens that no balance shows`];
  });
}
