import type { AppError } from "../../../kernel/errors.ts";
import { answered, ofEach, type RequestTrace } from "../../answers/outcome.ts";
import { failureForAll, type RequestFailure } from "../../rate-limit/gate/after-failure.ts";
import type { RetryDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";

/** How one answer is read: how its failures are judged, and how the traces of its entries continue. */
export interface Reading {
  readonly kind: OutgoingBatch["kind"];
  readonly failureOf: (error: AppError) => RequestFailure;
  readonly traceOf: (trace: RequestTrace) => RequestTrace;
}

/** The reading of an answer that arrives now. */
export function readingOf({ kind }: OutgoingBatch, { gate, clock }: Pick<RetryDeps, "gate" | "clock">): Reading {
  return { kind, failureOf: failureForAll(gate), traceOf: ofEach(answered, clock.now()) };
}
