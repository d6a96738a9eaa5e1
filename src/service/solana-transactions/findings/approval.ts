import { type SolanaFacts, type SolanaFinding, tokenAccountAt } from "./facts.ts";

/** 2^64 - 1, by which programs mean "without a limit". */
const MAX_AMOUNT = 0xffff_ffff_ffff_ffffn;

/** Somebody may move tokens of an account. */
export interface TokenApproval {
  readonly account: string;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * Who may move tokens of somebody else once the transaction is through: not one who was allowed to and used it up, or
 * lost it again, on the way. A labelled protocol or bridge is meant to be allowed to, unless without a limit.
 */
export function approval(
  { account, to, amount }: TokenApproval,
  { simulation, isService }: SolanaFacts,
): SolanaFinding | undefined {
  const { error, before, after } = simulation;
  const held = tokenAccountAt(after, account);
  if (error === undefined && held !== undefined && held.delegate !== to) return undefined;
  const had = tokenAccountAt(before, account)?.amount ?? 0n;
  const has = held?.amount ?? 0n;
  const isUnlimited = amount === MAX_AMOUNT || amount > (had > has ? had : has);
  if (amount === 0n || (isService(to) && !isUnlimited)) return undefined;
  const much = isUnlimited ? "all tokens" : `${amount} units of the tokens`;
  const description = `lets ${to} take ${much} of the account ${account} at any time`;
  return { name: isService(to) ? "approval_unlimited" : "approval_unknown_delegate", account, gains: to, description };
}
