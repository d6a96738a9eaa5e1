import type { Check } from "../adapters/kafka/check.ts";
import { type Operation, operations } from "../contract/operations.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { SecurityService } from "../worker/ports.ts";
import { operationQuestions } from "./operation-questions.ts";

export interface CheckOperationsOptions {
  /** Operations that are not asked. */
  readonly lacks: ReadonlySet<Operation>;
  /** The dialect file, which states the others; undefined without one. */
  readonly file: string | undefined;
  /** Milliseconds before each question. */
  readonly gapMs: number;
  readonly clock: Pick<Clock, "sleep">;
}

/** Asks every operation but address poisoning one question: a line each. */
export async function checkOperations(
  service: SecurityService,
  { lacks, file, gapMs, clock }: CheckOperationsOptions,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const operation of operations) {
    if (operation === "address-poisoning") continue;
    const { route, request } = operationQuestions[operation];
    const check = `operation ${operation}`;
    if (lacks.has(operation)) {
      checks.push({ check, ok: true, detail: "not asked: SERVICE_DIALECT leaves it out", remedy: "" });
      continue;
    }
    await clock.sleep(gapMs, signal);
    try {
      await service.ask(route, request, signal);
      checks.push({ check, ok: true, detail: "answers a question", remedy: "" });
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof AppError)) throw thrown;
      checks.push({ check, ...failed(thrown, operation, file) });
    }
  }
  return checks;
}

/** A file states that the operation is there. The interface has all of them, and a service of Weir's not all backends. */
function failed(
  { code, message, context }: AppError,
  operation: Operation,
  file: string | undefined,
): Omit<Check, "check"> {
  const isStated = file !== undefined;
  const place = file ?? "a file that SERVICE_DIALECT names";
  const leaveOut = `leave the operation out of operations in ${place}`;
  const isPath = context["status"] === 404;
  // Address poisoning has answered: SERVICE_URL is the base.
  const detail = isPath ? "the service answered 404" : message;
  if (code === "RATE_LIMITED") return { ok: "warn", detail, remedy: "set SERVICE_QUOTA, or try again later" };
  if (code === "CHAIN_UNSUPPORTED") {
    return { ok: "warn", detail, remedy: `see that the service has a backend for that chain, or ${leaveOut}` };
  }
  if (code === "UNAUTHORIZED") {
    return { ok: false, detail, remedy: `see that the key may use the operation, or ${leaveOut}` };
  }
  const remedy = isPath ? `${leaveOut}, or correct paths.${operation} there` : leaveOut;
  return { ok: isStated ? false : "warn", detail, remedy };
}
