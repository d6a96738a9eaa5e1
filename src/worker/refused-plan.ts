import type { ScreeningEvent } from "../events/event.ts";
import type { FailureCode } from "../events/verdict.ts";
import { failed } from "./check-entry.ts";
import type { Plan } from "./plan.ts";
import { subjectOf } from "./subject.ts";

/** The plan of an event that nothing can be asked about, with the reason. */
export function refused(event: ScreeningEvent, code: FailureCode, detail: string): Plan {
  const subject = subjectOf(event);
  const settled = [failed("event", code, detail)];
  return { subject, requiredChecks: [], questions: [], settled, parties: undefined };
}
