import { toError } from "../../../kernel/errors.ts";

/** Why a request got no answer. Messages of sockets name hosts, never keys; they tell the operator what to look at. */
export function reasonOf(thrown: unknown): string {
  const error = toError(thrown);
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? `${code} ${error.message}`.trim() : error.message;
}

/** Whether such a reason is that nothing came in time: by `withDeadline`, or by a connection that was never made. */
export function isTimeout(reason: string): boolean {
  return reason.startsWith("no answer within") || /timeout/i.test(reason);
}
