import { authorityFindings } from "./authority-findings.ts";
import { delayFindings } from "./delay-findings.ts";
import type { Facts, Finding, Finds } from "./facts.ts";
import { outflowFindings } from "./outflow-findings.ts";
import { programFindings } from "./program-findings.ts";
import { stateFindings } from "./state-findings.ts";
import { tokenFindings } from "./token-findings.ts";

const all: readonly Finds[] = [
  authorityFindings,
  stateFindings,
  delayFindings,
  outflowFindings,
  tokenFindings,
  programFindings,
];

/** All findings of one transaction, each about an account once: an instruction and what it changed are one thing. */
export function findAll(facts: Facts): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const finding of all.flatMap((finds) => finds(facts))) {
    const key = `${finding.name} ${finding.account} ${finding.gains}`;
    if (!found.has(key)) found.set(key, finding);
  }
  return [...found.values()];
}
