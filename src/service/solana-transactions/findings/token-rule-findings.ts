import { type Mint, readMint } from "../../../chains/solana/accounts/mint.ts";
import { type TokenRule, tokenRulesOf } from "../../../chains/solana/accounts/token-rules.ts";
import { programs } from "../../../chains/solana/programs.ts";
import type { SolanaFinding, SolanaRule } from "./facts.ts";
import { ownCalls } from "./own-calls.ts";

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
