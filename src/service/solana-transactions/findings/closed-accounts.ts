import type { Act } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import { type SolanaFacts, type SolanaFinding, tokenAccountAt } from "./facts.ts";
import { holderOf } from "./holdings.ts";

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
