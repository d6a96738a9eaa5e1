import { authorityFindings } from "./authority-findings.ts";
import { delayFindings } from "./delay-findings.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { feeFindings } from "./fee-findings.ts";
import { holdingFindings } from "./holding-findings.ts";
import { listedFindings } from "./listed-findings.ts";
import { outflowFindings } from "./outflow-findings.ts";
import { programFindings } from "./program-findings.ts";
import { stateFindings } from "./state-findings.ts";
import { strangerFindings } from "./stranger-findings.ts";
import { tokenFindings } from "./token-findings.ts";
import { tokenRuleFindings } from "./token-rule-findings.ts";
import { tokenUseFindings } from "./token-use-findings.ts";

const all: readonly SolanaRule[] = [
  authorityFindings,
  stateFindings,
  delayFindings,
  outflowFindings,
  strangerFindings,
  tokenUseFindings,
  holdingFindings,
  // Before what is said of the token, which the same account and name would hide.
  tokenRuleFindings,
  tokenFindings,
  programFindings,
  feeFindings,
  listedFindings,
];

/** What a whole sequence may show that none of its transactions does. */
const ofSequences: readonly SolanaRule[] = [authorityFindings, stateFindings, outflowFindings, tokenUseFindings];

/** All findings of one transaction, each about an account once: an instruction and what it changed are one thing. */
export function findAll(facts: SolanaFacts): readonly SolanaFinding[] {
  return distinct(all, facts);
}

/** The findings of a sequence as a whole, whether a transaction of it has them or not. */
export function findInSequence(facts: SolanaFacts): readonly SolanaFinding[] {
  return distinct(ofSequences, facts);
}

/** What makes two findings one. */
export function keyOf({ name, account, gains }: SolanaFinding): string {
  return `${name} ${account} ${gains}`;
}

function distinct(finds: readonly SolanaRule[], facts: SolanaFacts): readonly SolanaFinding[] {
  const found = new Map<string, SolanaFinding>();
  for (const finding of finds.flatMap((each) => each(facts))) {
    const key = keyOf(finding);
    if (!found.has(key)) found.set(key, finding);
  }
  return [...found.values()];
}
