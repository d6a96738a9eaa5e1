import { sha256 } from "../../kernel/hash.ts";
import type { ScreeningEvent } from "../../messages/event.ts";
import type { FailureCode } from "../../messages/verdict.ts";
import { failed } from "../answers/check-entry.ts";
import type { InputRecord } from "../ports.ts";
import type { Plan } from "./question.ts";
import { subjectOf } from "./reading/subject.ts";

/** The plan of an event for which no question can be sent, with the reason. */
export function refused(event: ScreeningEvent, code: FailureCode, detail: string): Plan {
  const subject = subjectOf(event);
  const settled = [failed("event", code, detail)];
  return { subject, requiredChecks: [], questions: [], settled, parties: undefined };
}

/** The plan of a record that is no event, with the reason. */
export function unreadablePlan({ bytes, source }: InputRecord, detail: string): Plan {
  const where = "line" in source ? `line ${source.line}: ` : "";
  return {
    subject: { type: "unreadable", record_sha256: sha256(bytes) },
    requiredChecks: [],
    questions: [],
    settled: [failed("event", "EVENT_MALFORMED", `${where}${detail}`)],
    parties: undefined,
  };
}
