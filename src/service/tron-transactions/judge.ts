import type { TronFacts } from "./facts.ts";
import type { Score } from "./rules/rule.ts";
import { type RuleName, rules } from "./rules/rules.ts";

/** A rule that fired, with its text for the user. */
export interface TronFinding {
  readonly name: RuleName;
  readonly score: Score;
  readonly description: string;
}

/** All findings on a transaction, the highest score first. Equal scores keep the order of the rule table. */
export function judge(facts: TronFacts): readonly TronFinding[] {
  const found: TronFinding[] = [];
  for (const { name, score, finds } of rules) {
    const description = finds(facts);
    if (description !== undefined) found.push({ name, score, description });
  }
  return found.sort((a, b) => b.score - a.score);
}
