import { collectFindings } from "../../rules/rule-engine.ts";
import { holdingFindings } from "./account-findings.ts";
import { authorityFindings } from "./authority-findings.ts";
import type { SolanaFacts, SolanaFinding, SolanaRule } from "./facts.ts";
import { stateFindings } from "./state-findings.ts";
import { listedFindings, outflowFindings, strangerFindings } from "./stranger-findings.ts";
import { tokenFindings, tokenRuleFindings } from "./token-findings.ts";
import { tokenUseFindings } from "./token-use-findings.ts";
import { delayFindings, feeFindings, programFindings } from "./transaction-findings.ts";

const all: readonly SolanaRule[] = [
  authorityFindings,
  stateFindings,
  delayFindings,
  outflowFindings,
  strangerFindings,
  tokenUseFindings,
  holdingFindings,
  // Findings of token rules come before token findings, because the same account and name would hide them.
  tokenRuleFindings,
  tokenFindings,
  programFindings,
  feeFindings,
  listedFindings,
];

/** Rules that also run over a whole sequence. They may find what no single transaction of the sequence shows. */
const ofSequences: readonly SolanaRule[] = [authorityFindings, stateFindings, outflowFindings, tokenUseFindings];

/** All findings of one transaction. An instruction and the state change that it causes are reported once. */
export function findAll(facts: SolanaFacts): readonly SolanaFinding[] {
  return collectFindings(all, facts, keyOf);
}

/** The findings of a sequence as a whole. They may repeat findings of its single transactions. */
export function findInSequence(facts: SolanaFacts): readonly SolanaFinding[] {
  return collectFindings(ofSequences, facts, keyOf);
}

/** Key of a finding. Findings with equal keys are duplicates. */
export function keyOf({ name, account, gains }: SolanaFinding): string {
  return `${name} ${account} ${gains}`;
}
