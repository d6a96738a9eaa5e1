import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { operations, type ServiceOperation } from "../../api/operations.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AppError } from "../../kernel/errors.ts";
import { isUnsent } from "../../worker/answers/service-errors.ts";
import type { CheckOutcome } from "../adapter-check/outcome.ts";
import { putQuestion, type QuestionDeps } from "../adapter-check/put-question.ts";
import { lookalikeQuestion, operationQuestions } from "./operation-questions.ts";

/** The file that declares the operations of the service and their requests. */
export interface StatingFile {
  readonly setting: "SERVICE_DIALECT" | "SERVICE_ADAPTER";
  readonly name: string;
}

export interface CheckOperationsOptions {
  /** Operations that the service lacks. */
  readonly lacks: ReadonlySet<ServiceOperation>;
  /** Undefined: the service must follow the interface. */
  readonly file: StatingFile | undefined;
  /** Delay before each question, milliseconds. */
  readonly gapMs: number;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * Sends one question to every operation as the worker does, with a line for each result. A service that detects
 * lookalikes also gets a question about one.
 */
export async function checkOperations(
  asking: Omit<QuestionDeps, "signal">,
  { lacks, file, gapMs, clock }: CheckOperationsOptions,
  signal: AbortSignal,
): Promise<readonly CheckedItem[]> {
  const checks: CheckedItem[] = [];
  for (const operation of operations) {
    const check = `operation ${operation}`;
    if (lacks.has(operation)) {
      const left = `not asked: ${file === undefined ? "the service" : file.setting} leaves it out`;
      checks.push({ check, ok: true, detail: left, remedy: "" });
      continue;
    }
    await clock.sleep(gapMs, signal);
    const question = operationQuestions[operation];
    const [outcome] = await putQuestion({ name: operation, operation, question }, { ...asking, signal });
    if (outcome === undefined) continue;
    checks.push({ check, ...saidOf(outcome, operation, file) });
    if (operation !== "address-poisoning" || outcome.word !== "ALLOW") continue;
    await clock.sleep(gapMs, signal);
    const [lookalike] = await putQuestion(
      { name: "lookalikes", operation, question: lookalikeQuestion },
      { ...asking, signal },
    );
    if (lookalike !== undefined) checks.push({ check: "lookalikes", ...detectedBy(lookalike, file) });
  }
  return checks;
}

/** A service may answer every question without comparing any addresses. */
function detectedBy(outcome: CheckOutcome, file: StatingFile | undefined): Said {
  if (outcome.error !== undefined) return failed(outcome.error, "address-poisoning", file);
  if (outcome.word !== "ALLOW") return { ok: true, detail: "flags an imitation of a known address", remedy: "" };
  return {
    ok: "warn",
    detail: "does not flag an address that has ten characters at each end in common with one that its user knows",
    remedy: DETECTS_NONE,
  };
}

type Said = Omit<CheckedItem, "check">;

function saidOf(outcome: CheckOutcome, operation: ServiceOperation, file: StatingFile | undefined): Said {
  const { word, error, unknown, detail } = outcome;
  if (error !== undefined) return failed(error, operation, file);
  if (word === "UNKNOWN")
    return { ok: "warn", detail: `answers a question, which is UNKNOWN: ${unknown}`, remedy: UNDERSTOOD };
  if (operation === "address-poisoning" && word !== "ALLOW")
    return { ok: "warn", detail: `answers a question with ${word}: ${detail}`, remedy: FLAGS_ALL };
  return { ok: true, detail: `answers a question: ${word === "LATER" ? detail : word}`, remedy: "" };
}

const UNDERSTOOD = "see docs/other-services.md for what the settings and a policy can say of it";
/** A refusal by the adapter itself tells nothing about the service. */
export const UNSENT_REMEDY =
  "nothing was sent: the adapter refuses this question, so screen a small file that the service can answer";
const DETECTS_NONE =
  "ask the vendor what it compares with: the worker itself finds imitations of an event's own users, and of nothing else";
const FLAGS_ALL = "the address has no key and imitates none: check whether the service flags every address";

/** A file declares the operation. The interface has all operations, but a Weir service may lack backends. */
function failed(error: AppError, operation: ServiceOperation, file: StatingFile | undefined): Said {
  const { code, message, context } = error;
  if (isUnsent(error)) return { ok: "warn", detail: message, remedy: UNSENT_REMEDY };
  const isPath = context["status"] === 404;
  // Address poisoning has answered, so SERVICE_URL is right.
  const detail = isPath ? "the service answered 404" : message;
  if (code === "RATE_LIMITED") return { ok: "warn", detail, remedy: "set SERVICE_QUOTA, or try again later" };
  if (code === "ITEM_FAILED")
    return {
      ok: "warn",
      detail: `answers a question, and knows nothing of what it is about: ${message}`,
      remedy: "see that it knows another: a wrong path may answer the same",
    };
  const leaveOut = leavingOut(operation, file);
  if (code === "CHAIN_UNSUPPORTED")
    return { ok: "warn", detail, remedy: `see that the service has a backend for that chain, or ${leaveOut}` };
  if (code === "UNAUTHORIZED")
    return { ok: false, detail, remedy: `see that the key may use the operation, or ${leaveOut}` };
  const remedy = isPath ? `${leaveOut}, or correct ${pathIn(operation, file)}` : leaveOut;
  return { ok: file === undefined ? "warn" : false, detail, remedy };
}

function leavingOut(operation: ServiceOperation, file: StatingFile | undefined): string {
  // Every event needs this operation, so no file may leave it out.
  if (operation === "address-poisoning") return "see to the service: every event needs this operation";
  return `leave the operation out of operations in ${file?.name ?? "a file that SERVICE_DIALECT names"}`;
}

function pathIn(operation: ServiceOperation, file: StatingFile | undefined): string {
  return file?.setting === "SERVICE_ADAPTER" ? "the path in its request there" : `paths.${operation} there`;
}
