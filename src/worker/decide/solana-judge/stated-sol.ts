import { amountText } from "../../../chains/solana/amount-text.ts";
import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import {
  NATIVE,
  NATIVE_DECIMALS,
  SMALL_CHANGE,
  type TokenChanges,
} from "../../../chains/solana/rules/token-changes.ts";
import type { MadeAccount, PlainTransfers } from "./plain-transfers.ts";

/** The fee payer, and the fee in lamports: at least for the signatures, at most with the priority fee. */
export interface Fees {
  readonly payer: string;
  readonly least: bigint;
  readonly most: bigint;
}

/** Rent of a new token account, lamports. Source: Solana, Rent; SPL Token, 165 bytes. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;
/** Number of rents that still count as small change. */
const MOST_RENTS = Number(SMALL_CHANGE / TOKEN_ACCOUNT_RENT);

/** Lamports by holder. Negative for a loss. */
type Lamports = ReadonlyMap<string, bigint>;

/**
 * Compares the balances with the SOL that the instructions state, to the lamport. Returns the differences in words.
 *
 * A fee may be missing from the balances, because the instructions state it. The rent of a token account may be missing
 * too, both at the account and at its payer. A service that counts by holder shows the rent at the account's wallet. Or
 * it shows only a loss of the payer.
 */
export function solMissing(plain: PlainTransfers, fees: Fees, changes: readonly TokenChanges[]): readonly string[] {
  const shown = shownSol(changes);
  const said = differences(statedSol(plain, shown, new Map(), fees), shown, fees);
  if (said.length === 0) return said;
  // Wrapped SOL lies in token accounts, and a service may also show it there.
  const wrapped = statedSol(plain, shown, wrappedSol(plain, changes), fees);
  return differences(wrapped, shown, fees).length === 0 ? [] : said;
}

/** Whether the rents that the balances of a sequence omit may exceed small change, in words. */
export function rentsMissing(
  each: readonly { readonly plain: PlainTransfers; readonly changes: readonly TokenChanges[] }[],
): readonly string[] {
  const hidden = each.flatMap(({ plain, changes }) => {
    const shown = shownSol(changes);
    return plain.made.filter(({ payer }) => !shown.has(payer));
  });
  return hidden.length > MOST_RENTS ? ["no balance shows the rents of the token accounts that are made"] : [];
}

function shownSol(changes: readonly TokenChanges[]): Lamports {
  const native = changes.filter(({ mint }) => mint === NATIVE).flatMap(({ changes: all }) => all);
  return new Map(native.map(({ holder, begin, end }) => [holder, end - begin]));
}

function statedSol({ sol, made }: PlainTransfers, shown: Lamports, wrapped: Lamports, fees: Fees): Lamports {
  const stated = new Map(wrapped);
  for (const { from, to, lamports } of sol) {
    move(stated, from, to, lamports);
  }
  const isElsewhere = ({ account }: MadeAccount) => gapOf(account, stated, shown) === 0n;
  const byAccount = [...new Map(made.map((each) => [each.account, each])).values()];
  const elsewhere = byAccount.filter(isElsewhere);
  for (const { account, payer } of byAccount) {
    const rent = gapOf(account, stated, shown);
    if (rent > 0n && rent <= SMALL_CHANGE) move(stated, payer, account, rent);
  }
  const open = elsewhere.filter(({ wallet, payer }) => {
    const fee = wallet === fees.payer ? fees.most : 0n;
    if (wallet === payer || gapOf(wallet, stated, shown) + fee < TOKEN_ACCOUNT_RENT) return true;
    move(stated, payer, wallet, TOKEN_ACCOUNT_RENT);
    return false;
  });
  for (const payer of new Set(open.map((each) => each.payer))) {
    const most = open.filter((each) => each.payer === payer).length;
    add(stated, payer, -TOKEN_ACCOUNT_RENT * BigInt(rentsOf(payer, Math.min(most, MOST_RENTS), stated, shown, fees)));
  }
  return stated;
}

/** Number of rents that a payer loses without another entry for them. An existing account costs no rent. */
function rentsOf(payer: string, most: number, stated: Lamports, shown: Lamports, fees: Fees): number {
  const counts = Array.from({ length: most + 1 }, (_, n) => n);
  const gap = gapOf(payer, stated, shown);
  return shown.has(payer) ? (counts.find((n) => isPaid(payer, -gap - TOKEN_ACCOUNT_RENT * BigInt(n), fees)) ?? 0) : 0;
}

/** Lamports that the balances of an address show beyond the stated change. */
function gapOf(account: string, stated: Lamports, shown: Lamports): bigint {
  return (shown.get(account) ?? 0n) - (stated.get(account) ?? 0n);
}

/** Transfers of wrapped SOL between token accounts. A transfer without a mint counts if wrapped SOL moves at all. */
function wrappedSol({ tokens }: PlainTransfers, changes: readonly TokenChanges[]): Lamports {
  const moves = changes.some(({ mint, changes: all }) => mint === WRAPPED_SOL && all.length > 0);
  const stated = new Map<string, bigint>();
  for (const { source, destination, mint, amount } of tokens) {
    if (!moves || (mint ?? WRAPPED_SOL) !== WRAPPED_SOL) continue;
    move(stated, source, destination, amount);
  }
  return stated;
}

function differences(stated: Lamports, shown: Lamports, fees: Fees): readonly string[] {
  return [...new Set([...stated.keys(), ...shown.keys()])].flatMap((account) => {
    const due = stated.get(account) ?? 0n;
    const told = shown.get(account) ?? 0n;
    if (isPaid(account, due - told, fees)) return [];
    return [`the SOL of ${account} changes by ${solText(due)}, and the balances show ${solText(told)}`];
  });
}

/** Whether an address loses nothing, or at most the fee. */
function isPaid(account: string, lost: bigint, { payer, least, most }: Fees): boolean {
  return lost === 0n || (account === payer && lost >= least && lost <= most);
}

function move(sums: Map<string, bigint>, from: string, to: string, lamports: bigint): void {
  add(sums, from, -lamports);
  add(sums, to, lamports);
}

function add(sums: Map<string, bigint>, account: string, lamports: bigint): void {
  sums.set(account, (sums.get(account) ?? 0n) + lamports);
}

function solText(lamports: bigint): string {
  return amountText(lamports, NATIVE_DECIMALS);
}
