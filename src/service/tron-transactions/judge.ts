import { applyRules, type ScoredFinding } from "../rules/rule-engine.ts";
import type { TronFacts } from "./facts.ts";
import { type RuleName, rules } from "./rules/rules.ts";

/** All findings on a transaction, the highest score first. */
export function judge(facts: TronFacts): readonly ScoredFinding<RuleName>[] {
  return applyRules(rules, facts);
}
