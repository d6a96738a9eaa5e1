import { MAX_TICKET_AGE_MS, MAX_TICKETS, TICKET_SCHEMA, type Ticket } from "../events/ticket.ts";
import { type Answers, failuresOf } from "./answers.ts";
import type { InputRecord } from "./ports.ts";

/** When a record was first seen, and the time now, Unix milliseconds. */
interface Times {
  readonly firstSeenAt: number;
  readonly now: number;
}

/** What brings a record back; undefined when that was done too often, or for too long. */
export function nextTicket(
  record: Pick<InputRecord, "source" | "revision" | "ticket">,
  verdictId: string,
  answers: Answers,
  { firstSeenAt, now }: Times,
): Ticket | undefined {
  const attempt = (record.ticket?.attempt ?? 0) + 1;
  const lastAt = firstSeenAt + MAX_TICKET_AGE_MS;
  if (attempt > MAX_TICKETS || now >= lastAt) return undefined;
  return {
    schema: TICKET_SCHEMA,
    verdict_id: verdictId,
    source: record.source,
    // What is said in the meantime is this revision; what is found out later takes its place.
    revision: answers.isOverdue ? record.revision + 1 : record.revision,
    attempt,
    failures: failuresOf(record) + (answers.isFailure ? 1 : 0),
    first_seen_at: firstSeenAt,
    due_at: Math.min(now + answers.laterMs, lastAt),
    checks: [...answers.checks],
  };
}
