import type { AppError } from "../../../kernel/errors.ts";
import { answered, ofEach, type Trace } from "../../answers/outcome.ts";
import { type Failure, judgeTogether } from "../../rate-limit/gate/after-failure.ts";
import type { AskingDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import type { Cut } from "../cut.ts";

/** One answer, while it is read: what becomes of its failures, and of the traces of its parts. */
export interface Reading {
  readonly kind: Cut["kind"];
  readonly failureOf: (error: AppError) => Failure;
  readonly traceOf: (trace: Trace) => Trace;
}

/** The reading of an answer that has just come. */
export function readingOf({ kind }: Cut, { gate, clock }: Pick<AskingDeps, "gate" | "clock">): Reading {
  return { kind, failureOf: judgeTogether(gate), traceOf: ofEach(answered, clock.now()) };
}
