import { toError } from "../../../kernel/errors.ts";

/**
 * The reason for a request without an answer. Messages of sockets name hosts, never keys, and they tell the operator
 * what to check.
 */
export function reasonOf(thrown: unknown): string {
  const error = toError(thrown);
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? `${code} ${error.message}`.trim() : error.message;
}

/** Whether such a reason is a timeout: of `withDeadline`, or of a connection that was never made. */
export function isTimeout(reason: string): boolean {
  return reason.startsWith("no answer within") || /timeout/i.test(reason);
}
