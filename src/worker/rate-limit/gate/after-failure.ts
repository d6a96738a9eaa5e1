import type { AppError } from "../../../kernel/errors.ts";
import type { RetryPolicy } from "../../../kernel/retry.ts";
import { AnswerInvalidError } from "../../answers/service-errors.ts";
import type { Waiter } from "../queue/waiter.ts";
import type { Gate } from "./gate.ts";

/** Attempts that the worker makes for one question. Source: docs/decisions/0006-pacing.md. */
export const RETRY: RetryPolicy = { attempts: 5, baseMs: 250, maxMs: 30_000 };
/** An invalid answer is a defect of the service. A retry seldom cures it. */
const INVALID_ATTEMPTS = 3;

/**
 * What happens to a question after its request failed.
 *
 * - `free`: the question is asked again and keeps all its attempts, because the service was at fault.
 * - `charged`: the question is asked again after a wait, and loses an attempt.
 * - `final`: the failure is the answer to the question.
 */
export type AfterFailure = (attempts: number) => "free" | "charged" | "final";

/** The failure of one request, for all questions in the request. */
export interface RequestFailure {
  /** What happens to one question of the request. @param attempts of the question, this one included. */
  readonly judge: AfterFailure;
  /**
   * Resolves when a charged question may be asked again. All questions of the request share one retry. The retry budget
   * is charged once, for the first question that asks.
   *
   * @throws the reason why no question is asked any more.
   */
  readonly afforded: (turn: Pick<Waiter, "lane" | "isAbandoned">) => Promise<void>;
}

/** Judges the failures of single items in one answer. Failures with the same code count as one failure. */
export function failureForAll(gate: Pick<Gate, "isFree" | "afforded">): (error: AppError) => RequestFailure {
  const failures = new Map<AppError["code"], RequestFailure>();
  return (error) => {
    const failure = failures.get(error.code) ?? failureOf(error, gate);
    failures.set(error.code, failure);
    return failure;
  };
}

/** Judges one failed request for all its questions. The questions differ only in their number of attempts. */
export function failureOf(error: AppError, gate: Pick<Gate, "isFree" | "afforded">): RequestFailure {
  const isFree = gate.isFree(error);
  const limit = error instanceof AnswerInvalidError ? INVALID_ATTEMPTS : RETRY.attempts;
  const turns: Pick<Waiter, "lane" | "isAbandoned">[] = [];
  let paid: Promise<void> | undefined;
  return {
    judge: (attempts) => {
      if (isFree) return "free";
      return error.retryable && attempts < limit ? "charged" : "final";
    },
    afforded: (turn) => {
      turns.push(turn);
      paid ??= gate.afforded(error, turns);
      return paid;
    },
  };
}
