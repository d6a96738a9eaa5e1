/**
 * Score of a rule, on the scale of the service's interface: 1 informs and allows, 2 and 3 warn, 4 and 5 block. Source:
 * docs/decisions/0009-tron.md.
 */
export type Score = 1 | 2 | 3 | 4 | 5;

/** A row of a rule table. `finds` returns the rule's text for the user; undefined when the rule does not fire. */
export interface ScoredRule<F, N extends string = string> {
  readonly name: N;
  readonly score: Score;
  readonly finds: (facts: F) => string | undefined;
}

/** A rule that fired, with its text for the user. */
export interface ScoredFinding<N extends string = string> {
  readonly name: N;
  readonly score: Score;
  readonly description: string;
}

/** Runs each rule of a table. The highest score comes first; equal scores keep the order of the table. */
export function applyRules<F, N extends string>(
  rules: readonly ScoredRule<F, N>[],
  facts: F,
): readonly ScoredFinding<N>[] {
  const found: ScoredFinding<N>[] = [];
  for (const { name, score, finds } of rules) {
    const description = finds(facts);
    if (description !== undefined) found.push({ name, score, description });
  }
  return found.sort((a, b) => b.score - a.score);
}

/** Runs rules that give any number of findings each. Of findings with one key the first one stays. */
export function collectFindings<F, T>(
  rules: readonly ((facts: F) => readonly T[])[],
  facts: F,
  keyOf: (finding: T) => string,
): readonly T[] {
  const found = new Map<string, T>();
  for (const finding of rules.flatMap((rule) => rule(facts))) {
    const key = keyOf(finding);
    if (!found.has(key)) found.set(key, finding);
  }
  return [...found.values()];
}
