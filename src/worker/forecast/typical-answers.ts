const QUOTES = 2;

/**
 * One text for each answer in which nothing is found, as long as that is as JSON: by its length a run counts what it remembers,
 * and of what a plan remembers nothing else matters. They are the medians of what Weir's own service answers to the demo's
 * events (test/golden/demo-verdicts.json, 2026-11-24). A service that says less is asked less often about what comes again,
 * one that says more, more often.
 */
export const typicalAnswers = {
  /** About an address, and about an address and a token. */
  poisoning: textOf(143),
  poisoningWithToken: textOf(290),
  "token-security": textOf(1_199),
  classification: textOf(332),
} as const;

export type TypicalAnswer = keyof typeof typicalAnswers;

/** @param characters of it as JSON. */
function textOf(characters: number): string {
  return " ".repeat(characters - QUOTES);
}
