/**
 * Characters of an answer in which nothing is found, as JSON: by them a run counts what it remembers. They are the medians of
 * what Weir's own service answers to the demo's events (test/golden/demo-verdicts.json, 2026-11-24). A service that says
 * less is asked less often about what comes again, one that says more, more often.
 */
export const answerCharacters = {
  /** About an address, and about an address and a token. */
  poisoning: 143,
  poisoningWithToken: 290,
  "token-security": 1_199,
  classification: 332,
} as const;

export type TypicalAnswer = keyof typeof answerCharacters;

const QUOTES = 2;

/** One text for each, which is as long as the answer is: of what a plan remembers no more than its length matters. */
export const typicalAnswers: Readonly<Record<TypicalAnswer, string>> = {
  poisoning: " ".repeat(answerCharacters.poisoning - QUOTES),
  poisoningWithToken: " ".repeat(answerCharacters.poisoningWithToken - QUOTES),
  "token-security": " ".repeat(answerCharacters["token-security"] - QUOTES),
  classification: " ".repeat(answerCharacters.classification - QUOTES),
};
