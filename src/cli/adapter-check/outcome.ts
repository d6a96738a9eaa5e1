import { isAdapterFault } from "../../adapters/service-adapter/translation.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Check } from "../../messages/checks.ts";
import type { CheckEntry, Subject } from "../../messages/verdict.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import { answeredHere, failed } from "../../worker/answers/check-entry.ts";
import { failureCodes } from "../../worker/answers/failure-codes.ts";
import { decide } from "../../worker/decide/decide.ts";

/** The worker's result for one answer, as a separate check. */
export interface CheckOutcome {
  /** The address, or the operation where there is no address. */
  readonly about: string;
  readonly word: "ALLOW" | "WARN" | "BLOCK" | "UNKNOWN" | "LATER";
  /** Findings and failures, in the order of the reasons. */
  readonly codes: readonly string[];
  readonly detail: string;
  /** The part of `detail` that makes the check UNKNOWN. */
  readonly unknown: string;
  /** The reason for a missing answer. */
  readonly error?: AppError;
  /** Whether the adapter is at fault, whatever the service answers. */
  readonly isFault: boolean;
}

/** @param told evidence of the check, or the reason for its absence. @throws any error that is no `AppError`. */
export function outcomeOf(
  about: string,
  check: Check,
  subject: Subject,
  told: unknown,
  table: PolicyTable,
): CheckOutcome {
  if (told instanceof Error && !(told instanceof AppError)) throw told;
  const entry: CheckEntry =
    told instanceof AppError
      ? failed(check, failureCodes[told.code], told.message)
      : answeredHere(check, told as object);
  const { decision, reasons } = decide({ subject, requiredChecks: [check], checks: [entry] }, table);
  const shown = (some: typeof reasons) => some.map(({ finding, detail }) => `${finding}: ${detail}`).join("; ");
  return {
    about,
    word: decision,
    codes: reasons.map(({ finding }) => finding),
    detail: shown(reasons),
    unknown: shown(reasons.filter(({ severity }) => severity === "UNKNOWN")),
    ...(told instanceof AppError ? { error: told } : {}),
    isFault: isAdapterFault(told),
  };
}

/** The outcome of an analysis that still runs. */
export function later(about: string, seconds: number): CheckOutcome {
  return { about, word: "LATER", codes: [], detail: `asked again after ${seconds} s`, unknown: "", isFault: false };
}
