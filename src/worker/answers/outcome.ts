import type { AppError } from "../../kernel/errors.ts";

/** What putting a question took. Times are Unix milliseconds; absent while nothing was sent. */
export interface RequestTrace {
  /** Requests sent for it, the first included, whoever shared them. */
  readonly requests: number;
  readonly askedAt?: number;
  readonly answeredAt?: number;
  /** Answered from what an earlier question found out. */
  readonly cached: boolean;
}

/** An answer, or why there is none. What is thrown beside it is a bug, an abort, or the end of the run. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly trace: RequestTrace }
  | { readonly ok: false; readonly error: AppError; readonly trace: RequestTrace };

/** Who asked, and is told once. Neither may throw: whoever tells one has others to tell. */
export interface OutcomeListener<T> {
  answered(outcome: Outcome<T>): void;
  /** For what is no answer of any kind: a bug, an abort, the end of the run. */
  failed(reason: unknown): void;
}

/** The trace of a question that nobody has asked yet. */
export const NOT_SENT: RequestTrace = { requests: 0, cached: false };

/** One more request was sent, at `now`. */
export function sent(trace: RequestTrace, now: number): RequestTrace {
  return { ...trace, requests: trace.requests + 1, askedAt: trace.askedAt ?? now };
}

/** The answer came at `now`. */
export function answered(trace: RequestTrace, now: number): RequestTrace {
  return { ...trace, answeredAt: now };
}

/**
 * What `step` makes of the traces of one request, one after the other: nearly all that share it were asked the same times
 * before, and share what becomes of that, too.
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
