import { amountText } from "../../chains/solana/amount-text.ts";
import { WRAPPED_SOL } from "../../chains/solana/programs.ts";
import { NATIVE, NATIVE_DECIMALS, SMALL_CHANGE, type TokenChanges } from "../../chains/solana/rules/token-changes.ts";
import type { PlainTransfers } from "./plain-transfers.ts";

/** The payer of a transaction, and lamports: for its signatures at least, and with the priority fee at most. */
export interface Fees {
  readonly payer: string;
  readonly least: bigint;
  readonly most: bigint;
}

/** So many rents of token accounts are no more than small change. Source: Solana, Rent; SPL Token, 165 bytes. */
const MOST_RENTS = Number(SMALL_CHANGE / 2_039_280n);

/** Lamports by holder; below zero where they leave. */
type Lamports = ReadonlyMap<string, bigint>;

/**
 * Whether the balances show the SOL that the instructions state, to the lamport, and no other; what differs, in words. A fee
 * may be left out, since the instructions state it. So may the rent of a token account, by its account and its payer alike.
 */
export function solNotShown(plain: PlainTransfers, fees: Fees, changes: readonly TokenChanges[]): readonly string[] {
  const shown = shownSol(changes);
  const said = differences(statedSol(plain, shown, new Map()), shown, fees);
  if (said.length === 0) return said;
  // SOL that is wrapped lies in token accounts: a service may show it there as well.
  const wrapped = statedSol(plain, shown, wrappedSol(plain, changes));
  return differences(wrapped, shown, fees).length === 0 ? [] : said;
}

/** Whether the rents that balances leave out, of a sequence in all, may be more than small change; in words. */
export function rentsNotShown(
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

function statedSol({ sol, made }: PlainTransfers, shown: Lamports, wrapped: Lamports): Lamports {
  const stated = new Map(wrapped);
  for (const { from, to, lamports } of sol) {
    add(stated, from, -lamports);
    add(stated, to, lamports);
  }
  const payerOf = new Map(made.map(({ account, payer }) => [account, payer]));
  for (const [account, payer] of payerOf) {
    const rent = (shown.get(account) ?? 0n) - (stated.get(account) ?? 0n);
    if (rent <= 0n || rent > SMALL_CHANGE) continue;
    add(stated, account, rent);
    add(stated, payer, -rent);
  }
  return stated;
}

/** Transfers of wrapped SOL between token accounts; of one without a mint, where wrapped SOL moves at all. */
function wrappedSol({ tokens }: PlainTransfers, changes: readonly TokenChanges[]): Lamports {
  const moves = changes.some(({ mint, changes: all }) => mint === WRAPPED_SOL && all.length > 0);
  const stated = new Map<string, bigint>();
  for (const { source, destination, mint, amount } of tokens) {
    if (!moves || (mint ?? WRAPPED_SOL) !== WRAPPED_SOL) continue;
    add(stated, source, -amount);
    add(stated, destination, amount);
  }
  return stated;
}

function differences(stated: Lamports, shown: Lamports, fees: Fees): readonly string[] {
  return [...new Set([...stated.keys(), ...shown.keys()])].flatMap((who) => {
    const due = stated.get(who) ?? 0n;
    const told = shown.get(who) ?? 0n;
    const isFee = who === fees.payer && due - told >= fees.least && due - told <= fees.most;
    if (told === due || isFee) return [];
    return [`the SOL of ${who} changes by ${solText(due)}, and the balances show ${solText(told)}`];
  });
}

function add(sums: Map<string, bigint>, who: string, lamports: bigint): void {
  sums.set(who, (sums.get(who) ?? 0n) + lamports);
}

function solText(lamports: bigint): string {
  return amountText(lamports, NATIVE_DECIMALS);
}
