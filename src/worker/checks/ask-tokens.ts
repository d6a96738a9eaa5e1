import { failureCodes } from "../answers/failure-codes.ts";
import type { Outcome } from "../answers/outcome.ts";
import { type PartialGathering, PartialResult, TOO_LATE } from "../answers/partial-result.ts";
import { mergeTraces } from "../batching/replies/merge-results.ts";
import { isRaised } from "../decide/findings/token/token-security.ts";
import type { TokenQuestion, TokensQuestion } from "../plan/question.ts";
import type { Polled } from "./poll-waits.ts";

/**
 * Asks about each token of one transaction. A flag of any token stands, and so does a tax that counts. The evidence
 * then names the tokens without an answer. Without a flag, every token must be answered. If one analysis is put off,
 * the whole check is put off, with the known part of the answer.
 */
export function askTokens(
  { check, chain, tokens }: TokensQuestion,
  askOne: (question: TokenQuestion) => Promise<Polled<object>>,
  soFar: PartialGathering<Polled<object>> = new PartialResult(),
): Promise<Polled<object>> {
  const asked = tokens.map((token) => askOne({ check, chain, token }));
  return soFar.gather(
    asked,
    (polled) => together(tokens, polled),
    () => TOO_LATE,
  );
}

function together(tokens: TokensQuestion["tokens"], polled: readonly Polled<object>[]): Polled<object> {
  const known = united(
    tokens,
    polled.map((one) => (one.ok === "later" ? TOO_LATE : one)),
  );
  const later = polled.flatMap((one) => (one.ok === "later" ? [one.afterMs] : []));
  return later.length === 0 ? known : { ok: "later", afterMs: Math.max(...later), known };
}

function united(tokens: TokensQuestion["tokens"], outcomes: readonly Outcome<object>[]): Outcome<object> {
  const trace = outcomes.map((outcome) => outcome.trace).reduce(mergeTraces);
  const answered = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => !outcome.ok);
  const [first, ...others] = answered;
  if (failure?.ok === false && !answered.some(isRaised)) return { ...failure, trace };
  const unanswered = outcomes.flatMap((outcome, i) =>
    outcome.ok ? [] : [{ token: tokens[i], code: failureCodes[outcome.error.code], detail: outcome.error.message }],
  );
  return { ok: true, value: { ...first, others, ...(unanswered.length === 0 ? {} : { unanswered }) }, trace };
}
