import type { ServiceOperation } from "../../api/operations.ts";
import { MAX_BATCH_ITEMS } from "../../api/schemas/address-poisoning.ts";
import type { CheckEntry, FailureCode } from "../../messages/verdict.ts";
import type { Plan, Question } from "../plan/question.ts";
import { failed } from "./check-entry.ts";

/** What a service can be asked, where it is less than the interface. Source: the dialect file, or the adapter. */
export interface ServiceReach {
  /** Operations that the service does not have. */
  readonly lacks: ReadonlySet<ServiceOperation>;
  /** Whether one poisoning request may hold several targets. If not, each target takes its own request. */
  readonly hasBatches: boolean;
  /** Limit of users, targets and tokens in one poisoning request, and of known addresses with an EVM transaction. */
  readonly maxItems: number;
  /** Limit of Solana transactions in one request. */
  readonly maxTransactions: number;
}

/** All operations, with the limits of the interface only. */
export const wholeInterface: ServiceReach = {
  lacks: new Set(),
  hasBatches: true,
  maxItems: MAX_BATCH_ITEMS,
  maxTransactions: Number.POSITIVE_INFINITY,
};

const operationByCheck: Readonly<Record<Question["check"], ServiceOperation>> = {
  poisoning: "address-poisoning",
  "token-security": "token-security",
  classification: "address-classify",
  "solana-simulation": "solana-emulate",
  "tron-security": "transaction-security",
  "evm-security": "evm-transaction-security",
};

/** Why a question cannot be sent to a service. */
interface Refusal {
  readonly code: FailureCode;
  readonly detail: string;
}

/**
 * The plan of an event, with a failed check for each question that the service cannot be asked. The verdict is UNKNOWN
 * or stricter for such a check, and no request is spent.
 */
export function planForReach(plan: Plan, reach: ServiceReach): Plan {
  if (reach === wholeInterface) return plan;
  const { questions } = plan;
  const refused = questions.flatMap((question): readonly CheckEntry[] => {
    const refusal = refusalOf(question, reach);
    return refusal === undefined ? [] : [failed(question.check, refusal.code, refusal.detail)];
  });
  if (refused.length === 0) return plan;
  return {
    subject: plan.subject,
    requiredChecks: plan.requiredChecks,
    questions: questions.filter((question) => refusalOf(question, reach) === undefined),
    settled: [...plan.settled, ...refused],
    parties: plan.parties,
  };
}

/** Distinct operations that a plan needs and the service lacks. */
export function operationsLacking(
  { questions }: Pick<Plan, "questions">,
  { lacks }: ServiceReach,
): Set<ServiceOperation> {
  return new Set(questions.flatMap(operationsFor).filter((operation) => lacks.has(operation)));
}

function refusalOf(question: Question, { lacks, maxItems, maxTransactions }: ServiceReach): Refusal | undefined {
  const lacking = operationsFor(question).find((operation) => lacks.has(operation));
  if (lacking !== undefined) {
    const detail = `the service has no operation ${lacking}: SERVICE_DIALECT or SERVICE_ADAPTER leaves it out`;
    return { code: "CHECK_UNSUPPORTED", detail };
  }
  const count = transactionsOf(question)?.length ?? 0;
  if (count > maxTransactions) {
    const detail = `the service takes ${maxTransactions} transactions in a request, this event has ${count}: limits.transactions of SERVICE_DIALECT says so`;
    return { code: "SUBJECT_UNSUPPORTED", detail };
  }
  if (question.check !== "evm-security" || question.users.length <= maxItems) return undefined;
  const detail = `the service takes ${maxItems} user addresses with a transaction, this one has ${question.users.length}: limits.items of SERVICE_DIALECT says so`;
  return { code: "SUBJECT_UNSUPPORTED", detail };
}

function operationsFor(question: Question): readonly ServiceOperation[] {
  const operation = operationByCheck[question.check];
  // The receivers are known only from the simulation.
  return "receiversOf" in question ? [operation, operationByCheck["solana-simulation"]] : [operation];
}

function transactionsOf(question: Question): readonly unknown[] | undefined {
  if ("receiversOf" in question) return question.receiversOf;
  return question.check === "solana-simulation" ? question.transactions : undefined;
}
