import { success } from "../../api/envelope.ts";
import { plainWords } from "../../api/requests/plain-words.ts";
import { type ResponseOf, type RouteName, routes } from "../../api/routes.ts";
import {
  type AdapterAnswer,
  type AdapterClassification,
  AdapterLater,
  type AdapterOperation,
  type AdapterTransaction,
  adapterAnswers,
} from "../../api/schemas/adapter-answers.ts";
import { AnswerInvalidError, ItemFailedError } from "../../worker/answers/service-errors.ts";
import { isObject } from "./adapter.ts";
import { batchAnswer, batchOfOne, singleAnswer } from "./completed-poisoning.ts";
import { tokenAnswer } from "./completed-token.ts";
import type { AdapterPoisoningQuestion, AdapterQuestion, PoisoningBatchQuestion } from "./question.ts";

/** The score for each action. Source: docs/decisions/0001-open-points.md, "TRON transaction security". */
const scoreOf = { ALLOW: 0, WARN: 2, BLOCK: 4 } as const;

interface About {
  readonly adapter: string;
  readonly nowMs: number;
}

/**
 * Completes an adapter's answer to an answer of the interface. Missing fields are marked as unknown.
 *
 * @throws {AnswerInvalidError} for an answer that does not fit, and {ItemFailedError} for one about a transaction
 * without an action.
 */
export function completedAnswer<N extends RouteName>(
  route: N,
  { operation, question }: AdapterQuestion,
  answer: unknown,
  about: About,
): ResponseOf<N> {
  const isLater = operation === "token-security" && isObject(answer) && "poll_after" in answer;
  const schema = isLater ? AdapterLater : adapterAnswers[operation];
  const read = schema.safeParse(answer, { error: plainWords });
  if (!read.success) throw invalid(operation, about, read.error.issues[0]);
  const completed = answerTo(route, operation, question, read.data, about);
  const whole = routes[route].response.safeParse(completed, { error: plainWords });
  if (!whole.success) throw invalid(operation, about, whole.error.issues[0]);
  return whole.data as ResponseOf<N>;
}

function answerTo(route: RouteName, operation: AdapterOperation, question: object, told: unknown, about: About) {
  switch (operation) {
    case "address-poisoning": {
      const completed = route === "poisoningBatch" ? batchOfOne : singleAnswer;
      return completed(told as AdapterAnswer<typeof operation>, question as AdapterPoisoningQuestion);
    }
    case "address-poisoning-batch":
      return batchAnswer(told as AdapterAnswer<typeof operation>, question as PoisoningBatchQuestion);
    case "token-security":
      return tokenAnswer(told as AdapterAnswer<typeof operation>, question as { chain: string }, about);
    case "address-classify":
      return classification(told as AdapterClassification, question as { chain: string }, about);
    case "transaction-security":
    case "evm-transaction-security":
      return transactionAnswer(told as AdapterTransaction, about);
    case "solana-emulate":
      return success(told);
  }
}

function classification(told: AdapterClassification, { chain }: { readonly chain: string }, { nowMs }: About): object {
  const { classification: label } = told;
  const isUnknown = label === undefined || label === null || label === "";
  return success({
    address: `${chain}:${told.address}`,
    address_type: told.address_type ?? "",
    classification: label ?? "",
    classification_id: 0,
    details: {
      is_verified: told.is_verified === true,
      proxy_impl_address: told.proxy_impl_address ?? "",
      proxy_impl_type: told.proxy_impl_type ?? "",
    },
    is_erc20: told.is_erc20 === true ? "1" : "0",
    scanned_time: Math.floor(nowMs / 1_000),
    status: 0,
    timestamp: "",
    verify_status: "",
    ...(isUnknown ? { unknown: ["classification"] } : {}),
  });
}

function transactionAnswer(
  { action, level, findings, not_analysed: open, delegates }: AdapterTransaction,
  { adapter }: About,
) {
  if (action === undefined || action === null)
    throw new ItemFailedError(`the adapter ${adapter} gives no action: the service does not say what to do`);
  return success({
    security: {
      overall_score: scoreOf[action],
      overall_risk_level: level === undefined || level === null ? "" : String(level),
      recommended_action: action,
      risk_details: findings ?? [],
      ...(open === undefined || open === null || open.length === 0 ? {} : { not_analysed: open }),
    },
    ...(delegates === undefined || delegates === null ? {} : { delegates }),
  });
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function invalid(operation: AdapterOperation, { adapter }: About, issue: Issue | undefined): AnswerInvalidError {
  const place = issue === undefined || issue.path.length === 0 ? "its root" : issue.path.map(String).join(".");
  return new AnswerInvalidError(
    `the adapter ${adapter} answers ${operation} as it must not, at ${place}: ${issue?.message ?? "is not allowed"}`,
  );
}
