import type { JsonSize } from "../answers/json-size.ts";

/**
 * How large an answer is in which nothing is found: by that a run counts what it remembers. They are the medians of what
 * Weir's own service answers to the demo's events (test/golden/demo-verdicts.json, 2026-11-24). A service that says
 * less is asked less often about what comes again, one that says more, more often.
 */
export const answerSizes = {
  /** About an address, and about an address and a token. */
  poisoning: { characters: 143, pieces: 7 },
  poisoningWithToken: { characters: 290, pieces: 13 },
  "token-security": { characters: 1_199, pieces: 49 },
  classification: { characters: 332, pieces: 14 },
} as const satisfies Record<string, JsonSize>;

export type TypicalAnswer = keyof typeof answerSizes;

/** A list for each that is as large as the answer is: of what a plan remembers no more than its size matters. */
export const typicalAnswers: Readonly<Record<TypicalAnswer, readonly string[]>> = {
  poisoning: listOf(answerSizes.poisoning),
  poisoningWithToken: listOf(answerSizes.poisoningWithToken),
  "token-security": listOf(answerSizes["token-security"]),
  classification: listOf(answerSizes.classification),
};

/** One long text and empty ones: each has its quotes, and what is behind or before it; and the list is a piece, too. */
function listOf({ characters, pieces }: JsonSize): readonly string[] {
  const items = pieces - 1;
  return [" ".repeat(characters - 3 * items - 1), ...Array.from({ length: items - 1 }, () => "")];
}
