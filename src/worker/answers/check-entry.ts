import type { Check } from "../../messages/checks.ts";
import type { CheckEntry, FailureCode } from "../../messages/verdict.ts";

/** A check without an answer, with the reason. */
export function failed(check: CheckEntry["check"], code: FailureCode, detail: string): CheckEntry {
  return { check, outcome: "failed", cached: false, attempts: 0, error: { code, detail } };
}

/** A check that this subject does not need. */
export function notApplicable(check: Check, detail: string): CheckEntry {
  return { check, outcome: "not_applicable", cached: false, attempts: 0, error: { code: "CHECK_UNSUPPORTED", detail } };
}

/** A check that the worker makes without the service. */
export function answeredHere(check: Check, data: object): CheckEntry {
  return { check, outcome: "ok", cached: false, attempts: 0, data };
}
