import type { Act } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import { type SolanaFacts, type SolanaFinding, tokenAccountAt } from "./facts.ts";
import { holderOf } from "./holdings.ts";

/**
 * A closed account's lamports are its owner's; whoever pays for the transaction, or was given the right to close it, may have
 * lent the rent. Of wrapped SOL the lamports are the money itself, code takes more than anybody lends, and so do many accounts.
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

/** All that is paid to somebody for token accounts that are closed and were not his. */
function rentsPaidTo(to: string, { calls, simulation: { before } }: SolanaFacts): bigint {
  const accounts = calls
    .flatMap(actsOf)
    .flatMap((act) => (act.kind === "close" && act.of === "tokens" && act.to === to ? act.account : []));
  return [...new Set(accounts)]
    .filter((account) => tokenAccountAt(before, account)?.owner !== to)
    .reduce((sum, account) => sum + (before.get(account)?.lamports ?? 0n), 0n);
}

/**
 * What a durable nonce, a stake, a vote account, a derived account, or a token account beside its tokens, pays is its holder's, whether it goes to the wallet or
 * into another account of the same one. A nonce's rent may have been lent by whoever pays for the transaction.
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
