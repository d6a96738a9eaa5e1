import type { AppError } from "../../kernel/errors.ts";

/** The requests that a question took. Times are Unix milliseconds, and absent while no request was sent. */
export interface RequestTrace {
  /** Number of requests for the question, the first included, shared or not. */
  readonly requests: number;
  readonly askedAt?: number;
  readonly answeredAt?: number;
  /** Whether the answer comes from an earlier question. */
  readonly cached: boolean;
}

/** An answer, or the error that replaces it. Bugs, aborts and the end of the run are thrown instead. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly trace: RequestTrace }
  | { readonly ok: false; readonly error: AppError; readonly trace: RequestTrace };

/** Listener for the outcome of a question, called once. Its methods must not throw, because other listeners follow. */
export interface OutcomeListener<T> {
  answered(outcome: Outcome<T>): void;
  /** The question ends without an answer, because of a bug, an abort, or the end of the run. */
  failed(reason: unknown): void;
}

/** The trace of a question that was not sent yet. */
export const NOT_SENT: RequestTrace = { requests: 0, cached: false };

/** One more request was sent at `now`, Unix milliseconds. */
export function sent(trace: RequestTrace, now: number): RequestTrace {
  return { ...trace, requests: trace.requests + 1, askedAt: trace.askedAt ?? now };
}

/** The answer arrived at `now`, Unix milliseconds. */
export function answered(trace: RequestTrace, now: number): RequestTrace {
  return { ...trace, answeredAt: now };
}

/**
 * Applies `step` to the traces of one request, and reuses the last result. Most questions of a request were sent
 * equally often before, so they share one trace.
 */
export function ofEach(step: typeof sent, now: number): (trace: RequestTrace) => RequestTrace {
  let last: RequestTrace | undefined;
  let made: RequestTrace | undefined;
  return (trace) => {
    if (made === undefined || trace !== last) made = step(trace, now);
    last = trace;
    return made;
  };
}
