import type { AccountState, Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { controllerOf } from "../../../chains/solana/accounts/controller.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import { unreadHolding } from "../../../chains/solana/accounts/unread-holdings.ts";
import type { Act } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { programs, WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import type { Simulation } from "../simulator.ts";
import { type SolanaFacts, type SolanaFinding, type SolanaRule, tokenAccountAt } from "./facts.ts";

/**
 * Reports a closed account with lamports that go to a stranger. The lamports belong to the account's owner. The fee
 * payer, or the address with the right to close the account, may have lent the rent. Wrapped SOL is money, not rent.
 * Code accounts, or many token accounts at once, hold more than a lender would lend.
 */
export function closed(act: Extract<Act, { kind: "close" }>, facts: SolanaFacts): SolanaFinding | undefined {
  const { account, authority, to, of } = act;
  const { before } = facts.simulation;
  const held = tokenAccountAt(before, account);
  const isMoney = (held?.mint === WRAPPED_SOL && held.amount > 0n) || rentsPaidTo(to, facts) > SMALL_CHANGE;
  if (of === "code" ? to === authority : to === (held?.owner ?? authority)) return undefined;
  if (of === "tokens" && !isMoney && (to === authority || to === facts.feePayer)) return undefined;
  const description = `closes the account ${account} and pays what it holds to ${to}`;
  return { name: "account_closed_to_stranger", account, gains: to, description };
}

/** Sums the lamports that `to` gets for closed token accounts that had another owner. */
function rentsPaidTo(to: string, { calls, simulation: { before } }: SolanaFacts): bigint {
  const accounts = calls
    .flatMap(actsOf)
    .flatMap((act) => (act.kind === "close" && act.of === "tokens" && act.to === to ? act.account : []));
  return [...new Set(accounts)]
    .filter((account) => tokenAccountAt(before, account)?.owner !== to)
    .reduce((sum, account) => sum + (before.get(account)?.lamports ?? 0n), 0n);
}

/**
 * Reports a withdrawal to an address that is not the account's holder. Withdrawals come from durable nonces, stakes,
 * vote accounts, derived accounts, and token accounts with lamports beside their tokens. A payment to the holder's
 * wallet, or to another account of the same holder, is not reported. The fee payer may have lent the rent of a nonce.
 */
export function withdrawn(
  { account, to, of, lamports, base }: Extract<Act, { kind: "withdraw" }>,
  { simulation: { before, after }, feePayer, derived }: SolanaFacts,
): SolanaFinding | undefined {
  const holder = holderOf(account, before.get(account), derived) ?? base;
  if (lamports === 0n || to === holder) return undefined;
  const isSmall = lamports !== undefined && lamports <= SMALL_CHANGE;
  if (to === feePayer && (holder === undefined || isSmall)) return undefined;
  if (holder !== undefined && holderOf(to, after.get(to), derived) === holder) return undefined;
  const description = `pays what the ${of} ${account} holds to ${to}`;
  return { name: "withdrawn_to_stranger", account, gains: to, description };
}

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

/**
 * Reports transfers and approvals in accounts that only their own programs can read. Examples are collectibles that are
 * no tokens, names, and shared wallets. An inner instruction counts only when it names a signer. A holding that goes to
 * a signer is no loss and is not reported.
 */
export const holdingFindings: SolanaRule = ({ calls, signers }) =>
  calls.flatMap((call): SolanaFinding[] => {
    const isOwn = (account: string | undefined) => account !== undefined && signers.has(account);
    const holding = call.isInner && !call.accounts.some(isOwn) ? undefined : unreadHolding(call);
    if (holding === undefined || isOwn(holding.to)) return [];
    const { what, to } = holding;
    const description = `changes who has what among ${what} of the program ${call.program}${to === undefined ? "" : `, for ${to}`}: no balance shows it`;
    return [
      { name: "holdings_unread", account: call.program, ...(to === undefined ? {} : { gains: to }), description },
    ];
  });
