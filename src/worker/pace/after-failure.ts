import type { AppError } from "../../kernel/errors.ts";
import type { RetryPolicy } from "../../kernel/retry.ts";
import { AnswerInvalidError } from "../service-errors.ts";
import type { Gate } from "./gate.ts";

/** Attempts that one question is worth in this process. Source: library-traps, "Retry budget for the API". */
export const RETRY: RetryPolicy = { attempts: 5, baseMs: 250, maxMs: 30_000 };
/** An answer that is none is a fault of the service's making: it seldom goes away. */
const INVALID_ATTEMPTS = 3;

/**
 * What becomes of a question whose request failed: `free`: it is asked again and has lost nothing, since the fault was
 * the service's; `charged`: it is asked again after a wait, and has an attempt less; `final`: that was its answer.
 */
export type AfterFailure = (attempts: number) => "free" | "charged" | "final";

/** Judges the failures of single items in one answer: those of one kind are one failure, not one each. */
export function judgeTogether(gate: Pick<Gate, "isFree" | "mayRetry">): (error: AppError) => AfterFailure {
  const judged = new Map<AppError["code"], AfterFailure>();
  return (error) => {
    const judge = judged.get(error.code) ?? judgeFailure(error, gate);
    judged.set(error.code, judge);
    return judge;
  };
}

/** Judges one failed request, for all the questions in it: they differ in their attempts, this one included, only. */
export function judgeFailure(error: AppError, gate: Pick<Gate, "isFree" | "mayRetry">): AfterFailure {
  if (gate.isFree(error)) return () => "free";
  const limit = error instanceof AnswerInvalidError ? INVALID_ATTEMPTS : RETRY.attempts;
  if (!error.retryable) return () => "final";
  // One request is repeated, whatever it holds; and paid for only if it is.
  let mayRetry: boolean | undefined;
  return (attempts) => {
    if (attempts >= limit) return "final";
    mayRetry ??= gate.mayRetry(error);
    return mayRetry ? "charged" : "final";
  };
}
