import { associatedAccounts } from "../../../../chains/solana/associated-accounts.ts";
import { WRAPPED_SOL } from "../../../../chains/solana/programs.ts";
import { type Outflow, outflowFindings, outflowOf } from "../../../../chains/solana/rules/outflow.ts";
import { NATIVE, ownChanges, SMALL_CHANGE, type TokenChanges } from "../../../../chains/solana/rules/token-changes.ts";
import type { MadeAccount } from "../plain-transfers.ts";
import { TOKEN_ACCOUNT_RENT } from "../stated-sol.ts";
import type { StatedRecipient } from "./stated-recipients.ts";

/** The balance changes of one transaction, or of a sequence as a whole, with the token accounts that it creates. */
export interface BalanceView {
  readonly changes: readonly TokenChanges[];
  readonly made: readonly MadeAccount[];
  /** The accounts that the instructions pay. Undefined if the instructions do not state all of them. */
  readonly recipients: readonly StatedRecipient[] | undefined;
}

/** Hundredths of a percent. */
const PARTS = 10_000n;

/** Why an outflow is ordinary: it stays with the user, or only small shares of what the holder has leave. */
export type OutflowExplanation =
  | { readonly by: "own_address" }
  | { readonly by: "small_shares"; readonly share_bps: number };

/**
 * Explains the finding `name` about what leaves `who`. Undefined if the balances show another outflow than the finding
 * states: a service may have read accounts that no balance shows.
 *
 * @param named The user's own addresses, as the event names them.
 */
export function explainOutflow(
  name: string,
  who: string,
  views: readonly BalanceView[],
  named: ReadonlySet<string>,
): OutflowExplanation | undefined {
  const outflows = views.flatMap(({ changes }) => outflowIn(changes, who) ?? []);
  if (!outflows.some((outflow) => outflowFindings(outflow).some((finding) => finding.name === name))) return undefined;
  const group = new Set([...named, who]);
  if (named.size > 0 && views.every((view) => staysWith(group, view))) return { by: "own_address" };
  if (outflows.some(({ isMost }) => isMost)) return undefined;
  const shares = views.map((view) => sharesLeaving(who, view));
  return { by: "small_shares", share_bps: Math.max(...shares) };
}

function outflowIn(changes: readonly TokenChanges[], who: string): Outflow | undefined {
  const own = ownChanges(who, changes);
  return outflowOf(who, own, solOf(own));
}

function solOf(own: ReturnType<typeof ownChanges>) {
  const sol = own.filter(({ mint }) => isSol(mint)).map(({ change }) => change);
  return { begin: sol.reduce((sum, { begin }) => sum + begin, 0n), end: sol.reduce((sum, { end }) => sum + end, 0n) };
}

/** Whether no asset leaves the addresses of a group, except for fees and rents. */
function staysWith(group: ReadonlySet<string>, view: BalanceView): boolean {
  const rents = rentsOf(group, view);
  let own = 0n;
  for (const { mint, changes } of view.changes) {
    const sum = changes.reduce((total, { holder, begin, end }) => total + (group.has(holder) ? end - begin : 0n), 0n);
    if (mint === NATIVE) own = sum;
    else if (mint !== WRAPPED_SOL && sum < 0n) return false;
  }
  const most = SMALL_CHANGE + TOKEN_ACCOUNT_RENT * BigInt(rents.size);
  return strangersSol(group, view, rents) <= SMALL_CHANGE && own + most >= 0n && isPaidTo(group, view);
}

/**
 * Whether the instructions themselves pay only accounts that belong to the group by their own address. A service may
 * state another owner of a token account than the network does, or leave a recipient out.
 */
export function isPaidTo(group: ReadonlySet<string>, view: BalanceView): boolean {
  if (view.recipients === undefined) return false;
  const own = new Set([...group, ...rentsOf(group, view)]);
  for (const { mint, changes } of view.changes) {
    if (mint === NATIVE) continue;
    for (const { holder } of changes)
      if (group.has(holder)) for (const each of associatedAccounts(holder, mint)) own.add(each);
  }
  const others = view.recipients.filter(({ to }) => !own.has(to));
  const sol = others.reduce<bigint | undefined>(
    (sum, { lamports }) => (sum === undefined || lamports === undefined ? undefined : sum + lamports),
    0n,
  );
  return sol !== undefined && sol <= SMALL_CHANGE;
}

/** Token accounts that the transaction creates for the group. */
function rentsOf(group: ReadonlySet<string>, { made }: BalanceView): ReadonlySet<string> {
  return new Set(made.flatMap(({ account, wallet }) => (group.has(wallet) ? account : [])));
}

/** Lamports that addresses outside of the group gain. Wrapped SOL may count twice, at its account and at its owner. */
function strangersSol(group: ReadonlySet<string>, { changes }: BalanceView, rents: ReadonlySet<string>): bigint {
  let sum = 0n;
  for (const { mint, changes: all } of changes) {
    if (!isSol(mint)) continue;
    for (const { holder, begin, end } of all) {
      if (group.has(holder) || end <= begin) continue;
      const rent = mint === NATIVE && rents.has(holder) ? TOKEN_ACCOUNT_RENT : 0n;
      sum += end - begin > rent ? end - begin - rent : 0n;
    }
  }
  return sum;
}

/**
 * The shares that leave of each asset of `who`, added up, in hundredths of a percent, each rounded up. The sum keeps a
 * little of everything from counting as little.
 */
function sharesLeaving(who: string, view: BalanceView): number {
  const own = ownChanges(who, view.changes);
  const tokens = own.filter(({ mint, change }) => !isSol(mint) && change.end < change.begin);
  const shares = tokens.map(({ change: { begin, end } }) => shareOf(begin - end, begin));
  const { begin, end } = solOf(own);
  // Lamports of a stake or a nonce of the signer leave without a change of the signer's own balance.
  const paid = strangersSol(new Set([who]), view, new Set());
  shares.push(Math.max(shareOf(begin - end - SMALL_CHANGE, begin), shareOf(paid - SMALL_CHANGE, begin)));
  return shares.reduce((sum, share) => sum + share, 0);
}

/** 0 for an amount that does not leave. */
function shareOf(lost: bigint, begin: bigint): number {
  if (lost <= 0n) return 0;
  return begin === 0n ? Number(PARTS) : Number((lost * PARTS + begin - 1n) / begin);
}

function isSol(mint: string): boolean {
  return mint === NATIVE || mint === WRAPPED_SOL;
}
