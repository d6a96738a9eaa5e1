import type { AppError } from "../../../kernel/errors.ts";
import { answered, ofEach, type RequestTrace } from "../../answers/outcome.ts";
import { failureForAll, type RequestFailure } from "../../rate-limit/gate/after-failure.ts";
import type { AskingDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";

/** One answer, while it is read: what becomes of its failures, and of the traces of its parts. */
export interface Reading {
  readonly kind: OutgoingBatch["kind"];
  readonly failureOf: (error: AppError) => RequestFailure;
  readonly traceOf: (trace: RequestTrace) => RequestTrace;
}

/** The reading of an answer that has just come. */
export function readingOf({ kind }: OutgoingBatch, { gate, clock }: Pick<AskingDeps, "gate" | "clock">): Reading {
  return { kind, failureOf: failureForAll(gate), traceOf: ofEach(answered, clock.now()) };
}
