import type { JsonSize } from "../answers/json-size.ts";

/**
 * Size of a typical answer without findings, which determines how many answers a cache holds. The sizes are medians of
 * the answers of Weir's own service to the demo's events (test/golden/demo-verdicts.json, 2026-11-24). Repeated
 * questions cost fewer requests at a service with shorter answers, and more with longer ones.
 */
export const answerSizes = {
  /** About an address, and about an address with a token. */
  poisoning: { characters: 143, pieces: 7 },
  poisoningWithToken: { characters: 290, pieces: 13 },
  "token-security": { characters: 1_199, pieces: 49 },
  classification: { characters: 332, pieces: 14 },
} as const satisfies Record<string, JsonSize>;

export type TypicalAnswer = keyof typeof answerSizes;

/** A list with the size of each answer. Only the size of a cached answer matters to the estimate. */
export const typicalAnswers: Readonly<Record<TypicalAnswer, readonly string[]>> = {
  poisoning: listOf(answerSizes.poisoning),
  poisoningWithToken: listOf(answerSizes.poisoningWithToken),
  "token-security": listOf(answerSizes["token-security"]),
  classification: listOf(answerSizes.classification),
};

/** One long text and empty texts. Each text has its quotes and a separator, and the list itself is a piece. */
function listOf({ characters, pieces }: JsonSize): readonly string[] {
  const items = pieces - 1;
  return [" ".repeat(characters - 3 * items - 1), ...Array.from({ length: items - 1 }, () => "")];
}
