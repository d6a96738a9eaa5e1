import type { AppError } from "../../../kernel/errors.ts";
import type { RetryPolicy } from "../../../kernel/retry.ts";
import { AnswerInvalidError } from "../../answers/service-errors.ts";
import type { Waiter } from "../queue/waiter.ts";
import type { Gate } from "./gate.ts";

/** Attempts that one question is worth in this process. Source: docs/decisions/0006-pacing.md. */
export const RETRY: RetryPolicy = { attempts: 5, baseMs: 250, maxMs: 30_000 };
/** An answer that is none is a fault of the service's making: it seldom goes away. */
const INVALID_ATTEMPTS = 3;

/**
 * What becomes of a question whose request failed: `free`: it is asked again and has lost nothing, since the fault was
 * the service's; `charged`: it is asked again after a wait, and has an attempt less; `final`: that was its answer.
 */
export type AfterFailure = (attempts: number) => "free" | "charged" | "final";

/** One failure, of all the questions in a request. */
export interface RequestFailure {
  /** What becomes of one of them. @param attempts of it, this one included. */
  readonly judge: AfterFailure;
  /**
   * Resolves when one that was charged may be asked again. One request is repeated, whatever it holds, and paid for only if
   * it is: who comes first waits for all. @throws the reason why nothing is asked any more.
   */
  readonly afforded: (turn: Pick<Waiter, "lane" | "isAbandoned">) => Promise<void>;
}

/** Judges the failures of single items in one answer: those of one kind are one failure, not one each. */
export function failureForAll(gate: Pick<Gate, "isFree" | "afforded">): (error: AppError) => RequestFailure {
  const failures = new Map<AppError["code"], RequestFailure>();
  return (error) => {
    const failure = failures.get(error.code) ?? failureOf(error, gate);
    failures.set(error.code, failure);
    return failure;
  };
}

/** Judges one failed request, for all the questions in it: they differ in their attempts only. */
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
