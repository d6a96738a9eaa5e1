import { parseAddress } from "../chains/address.ts";
import type { Chain } from "../chains/chain.ts";
import { STATUS_IN_PROGRESS, STATUS_NOT_OK } from "../contract/envelope.ts";
import type { CheckEntry, FailureCode } from "../events/verdict.ts";
import type { Clock } from "../kernel/clock.ts";
import { timestamp } from "../kernel/clock.ts";
import { AppError, type ErrorCode } from "../kernel/errors.ts";
import type { Random } from "../kernel/random.ts";
import { type RetryPolicy, withRetry } from "../kernel/retry.ts";
import { askPoisoning } from "./ask-poisoning.ts";
import { failed, type Question } from "./plan.ts";
import type { SecurityService } from "./ports.ts";
import { AnswerInvalidError, NotReadyError, refuseErrors } from "./service-errors.ts";
import type { ServiceHealth } from "./service-health.ts";

export interface AskDeps {
  readonly service: SecurityService;
  readonly clock: Clock;
  readonly random: Random;
  readonly retry: RetryPolicy;
  readonly health: Pick<ServiceHealth, "answered" | "failed">;
}

/** Puts one question, with its retries, and gives the check entry of the verdict. Only a bug or an abort throws. */
export async function ask(question: Question, deps: AskDeps, signal: AbortSignal): Promise<CheckEntry> {
  const requestedAt = timestamp(deps.clock.now());
  let attempts = 0;
  const call: SecurityService["ask"] = (route, request, abort) => {
    attempts++;
    return deps.service.ask(route, request, abort);
  };
  try {
    const data = await withRetry(() => evidenceOf(question, call, signal), deps.retry, deps, signal);
    deps.health.answered();
    const times = { requested_at: requestedAt, answered_at: timestamp(deps.clock.now()) };
    return { check: question.check, outcome: "ok", ...times, cached: false, attempts, data };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || signal.aborted) throw thrown;
    deps.health.failed(thrown);
    const entry = failed(question.check, failureCodes[thrown.code], thrown.message);
    return { ...entry, requested_at: requestedAt, answered_at: timestamp(deps.clock.now()), attempts };
  }
}

async function evidenceOf(question: Question, call: SecurityService["ask"], signal: AbortSignal): Promise<unknown> {
  switch (question.check) {
    case "poisoning":
      return askPoisoning(question, call, signal);
    case "token-security": {
      const answer = await call("tokenSecurity", { chainId: question.chain.id, address: question.token }, signal);
      if (answer.status === STATUS_IN_PROGRESS) throw new NotReadyError("the analysis is still in progress");
      return answerAbout(question.chain, question.token, answer);
    }
    case "classification": {
      const subject = { chain_id: question.chain.id, address: question.address };
      const answer = await call("classifyQuery", subject, signal);
      if (answer.status === STATUS_NOT_OK) throw new NotReadyError("the classification was not ready in time");
      return answerAbout(question.chain, question.address, answer);
    }
  }
}

/** The data of an answer, provided that it is about what was asked: <chain prefix>:<address>, compared canonically. */
function answerAbout<D extends { readonly address: string }>(
  chain: Chain,
  asked: string,
  answer: { readonly data: D },
): D {
  refuseErrors(answer, answer.data);
  const address = parseAddress(chain.family, answer.data.address.split(":").at(-1) ?? "");
  if (address.ok && address.value === asked) return answer.data;
  throw new AnswerInvalidError("the answer is about another address than was asked");
}

/** How each failure is named in a verdict. A new error code does not compile until it stands here. */
const failureCodes: Record<ErrorCode, FailureCode> = {
  CHAIN_UNSUPPORTED: "CHECK_UNSUPPORTED",
  RATE_LIMITED: "SERVICE_RATE_LIMITED",
  UNAUTHORIZED: "SERVICE_UNAUTHORIZED",
  REJECTED: "SERVICE_REJECTED",
  UNAVAILABLE: "SERVICE_UNAVAILABLE",
  NOT_READY: "SERVICE_NOT_READY",
  ANSWER_INVALID: "ANSWER_INVALID",
  ITEM_FAILED: "ITEM_FAILED",
  CONFIG_INVALID: "SERVICE_UNAVAILABLE",
  INPUT_UNREADABLE: "SERVICE_UNAVAILABLE",
  OUTPUT_UNWRITABLE: "SERVICE_UNAVAILABLE",
  SERVICE_DOWN: "SERVICE_UNAVAILABLE",
};
