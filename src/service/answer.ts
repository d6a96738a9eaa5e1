import type { FailureName } from "../api/failures.ts";

/** The answer of an operation: the whole success body, or a named failure with the detail that the caller may see. */
export type Answer<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly failure: FailureName; readonly detail: string };

export function answer<T>(body: T): Answer<T> {
  return { ok: true, body };
}

export function refuse(failure: FailureName, detail: string): Answer<never> {
  return { ok: false, failure, detail };
}
