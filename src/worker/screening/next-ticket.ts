import { MAX_FAILURES, MAX_TICKET_AGE_MS, TICKET_SCHEMA, type Ticket } from "../../messages/ticket.ts";
import { type Answers, failuresOf } from "../checks/answers.ts";
import type { InputRecord } from "../ports.ts";

/** Unix milliseconds. */
interface Times {
  readonly firstSeenAt: number;
  readonly now: number;
  /** When the record's deadline is; infinite where it can wait. */
  readonly deadlineAt: number;
}

/** Tickets for analyses in progress, after which the wait is at least so large a part of the time before. Chosen. */
const SOON = 10;
const LEAST_PART = 0.1;

/**
 * Longest `pollAfter` that is kept to, milliseconds, and how often the service is asked where it says a longer one. Chosen: a
 * longer one is taken for a fault of the service, and asking is the better way to learn.
 */
const LONGEST_POLL_MS = 7_200_000;
const ASK_AGAIN_MS = 600_000;

/**
 * What brings a record back; undefined when failures did that too often, or anything for too long. An analysis in progress
 * comes back when its service says; later tickets are spaced, since a service may say "soon" for a day, and one that says
 * "in days" is not waited for so long.
 */
export function nextTicket(
  record: Pick<InputRecord, "source" | "revision" | "ticket">,
  verdictId: string,
  answers: Answers,
  { firstSeenAt, now, deadlineAt }: Times,
): Ticket | undefined {
  const attempt = (record.ticket?.attempt ?? 0) + 1;
  const failures = failuresOf(record) + (answers.isFailure ? 1 : 0);
  const isFaulty = answers.laterMs > LONGEST_POLL_MS;
  const lastAt = firstSeenAt + (isFaulty ? LONGEST_POLL_MS : MAX_TICKET_AGE_MS);
  if (failures > MAX_FAILURES || now >= lastAt) return undefined;
  // What comes for an overdue event is a later revision, which is not waited for.
  const deadline =
    answers.isOverdue || deadlineAt === Number.POSITIVE_INFINITY ? {} : { deadline_at: Math.round(deadlineAt) };
  const leastMs = attempt - failures > SOON ? LEAST_PART * (now - firstSeenAt) : 0;
  const laterMs = isFaulty ? ASK_AGAIN_MS : answers.laterMs;
  return {
    schema: TICKET_SCHEMA,
    verdict_id: verdictId,
    source: record.source,
    // What is said in the meantime is this revision; what is found out later takes its place.
    revision: answers.isOverdue ? record.revision + 1 : record.revision,
    attempt,
    failures,
    first_seen_at: firstSeenAt,
    due_at: Math.min(Math.round(now + Math.max(laterMs, leastMs)), lastAt),
    ...deadline,
    checks: [...answers.checks],
  };
}
