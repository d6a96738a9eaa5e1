import { type Mint, type MintDanger, readMint } from "../../../chains/solana/accounts/mint.ts";
import { type TokenRule, tokenRulesOf } from "../../../chains/solana/accounts/token-rules.ts";
import { programs } from "../../../chains/solana/programs.ts";
import { type SolanaFacts, type SolanaFinding, type SolanaRule, tokenAccountAt } from "./facts.ts";
import { ownCalls } from "./transaction-findings.ts";

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

const says = {
  permanent_delegate: "somebody may move or burn it out of any account at any time",
  transfer_hook: "every transfer calls a program, which may refuse it",
  transfer_fee: "a part of every transfer is kept back, or may be",
  default_frozen: "new accounts of it cannot send until somebody thaws them",
  non_transferable: "it can never be sent on",
} as const satisfies Record<MintDanger, string>;

/**
 * Reports what issuers may do, for the mint of each token account that the transaction touches. An issuer whose token
 * has a label is known, and its powers are ordinary: regulated dollars have them.
 */
export const tokenFindings: SolanaRule = ({ simulation: { before, after, mints }, tokenName }) => {
  const touched = [...after.keys(), ...before.keys()].flatMap((address) => [
    tokenAccountAt(after, address)?.mint,
    tokenAccountAt(before, address)?.mint,
  ]);
  return [...new Set(touched)].flatMap((mint): SolanaFinding[] => {
    const account = mint === undefined ? undefined : mints.get(mint);
    const dangers = account === undefined ? [] : (readMint(account)?.dangers ?? []);
    if (mint === undefined || dangers.length === 0) return [];
    const symbol = tokenName(mint);
    if (symbol !== undefined) {
      const powers = dangers.map((danger) => says[danger]).join("; ");
      const description = `the token ${mint}, which labels call ${symbol}: ${powers}`;
      return [{ name: "issuer_powers_known", account: mint, description }];
    }
    return dangers.map((danger) => ({
      name: `token_${danger}`,
      description: `the token ${mint}: ${says[danger]}`,
      account: mint,
    }));
  });
};

/**
 * Reports signers that worsen the rules of a token that they issue, for all of its holders. No balance shows such a
 * change, and it touches no token account. For a token that is new, or that has no holders yet, only the final rules
 * matter.
 */
export const tokenRuleFindings: SolanaRule = (facts) => {
  const rules = ownCalls(facts).flatMap(tokenRulesOf);
  const own = rules.filter(({ by }) => by.some((each) => facts.signers.has(each)));
  return own.flatMap((rule): readonly SolanaFinding[] => {
    const account = facts.simulation.before.get(rule.mint);
    // SOL may lie at the address before the token is made there.
    if (account === undefined || account.owner !== programs.token2022) return [];
    const now = readMint(account);
    return now?.supply === 0n ? [] : findingOf(rule, now);
  });
};

/** `now` is the mint before the transaction. It is undefined for a mint that is too large to be shown. */
function findingOf(rule: TokenRule, now: Mint | undefined): readonly SolanaFinding[] {
  const account = rule.mint;
  switch (rule.kind) {
    case "transfer_fee": {
      const { rate, most } = rule.fee;
      const isNone = rate === 0 || most === 0n;
      if (isNone || (now?.fee !== undefined && rate <= now.fee.rate && most <= now.fee.most)) return [];
      const description = `has ${rate / 100} % of every transfer of the token ${account} kept back, at most ${most} units, whoever holds it`;
      return [{ name: "token_transfer_fee", account, description }];
    }
    case "transfer_hook": {
      if (rule.program === undefined || rule.program === now?.hook) return [];
      const description = `has every transfer of the token ${account} call the program ${rule.program}, which may refuse it, whoever holds it`;
      return [{ name: "token_transfer_hook", account, description }];
    }
    case "default_state": {
      if (!rule.isFrozen || now?.dangers.includes("default_frozen")) return [];
      const description = `has all new accounts of the token ${account} frozen until somebody thaws them`;
      return [{ name: "token_default_frozen", account, description }];
    }
  }
}
