import { type SolanaFacts, type SolanaFinding, tokenAccountAt } from "./facts.ts";

/** 2^64 - 1, by which programs mean "without a limit". */
const MAX_AMOUNT = 0xffff_ffff_ffff_ffffn;

/** Allows the address `to` to move tokens of the account. */
export interface TokenApproval {
  readonly account: string;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * Reports a delegate that may still move the owner's tokens after the transaction. A delegate that uses up or loses the
 * approval within the transaction is not reported. A limited approval for a labelled protocol or bridge is intended and
 * is not reported.
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
