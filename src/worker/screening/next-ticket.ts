import { MAX_FAILURES, MAX_TICKET_AGE_MS, TICKET_SCHEMA, type Ticket } from "../../messages/ticket.ts";
import { type Answers, failuresOf } from "../checks/answers.ts";
import type { InputRecord } from "../ports.ts";

/** Unix milliseconds. */
interface Times {
  readonly firstSeenAt: number;
  readonly now: number;
  /** The deadline of the record. Infinite if the record can wait. */
  readonly deadlineAt: number;
}

/** After this many tickets for a running analysis, each wait is at least this share of the time so far. Chosen. */
const SOON = 10;
const LEAST_PART = 0.1;

/**
 * Longest `pollAfter` that is followed, and the delay of the next poll if the service states a longer one,
 * milliseconds. Chosen: a longer `pollAfter` counts as a fault of the service, and another poll is the better way to
 * find out.
 */
const LONGEST_POLL_MS = 7_200_000;
const ASK_AGAIN_MS = 600_000;

/**
 * The ticket that brings a record back. Undefined after too many failures, or after too long a time. A running analysis
 * comes back when the service says. Later tickets are spaced out, because a service may say "soon" for a day. A service
 * that says "in days" is not waited for that long.
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
  // The answer to an overdue event becomes a later revision, and no caller waits for that revision.
  const deadline =
    answers.isOverdue || deadlineAt === Number.POSITIVE_INFINITY ? {} : { deadline_at: Math.round(deadlineAt) };
  const leastMs = attempt - failures > SOON ? LEAST_PART * (now - firstSeenAt) : 0;
  const laterMs = isFaulty ? ASK_AGAIN_MS : answers.laterMs;
  return {
    schema: TICKET_SCHEMA,
    verdict_id: verdictId,
    source: record.source,
    // The provisional verdict has this revision, and a later answer replaces it.
    revision: answers.isOverdue ? record.revision + 1 : record.revision,
    attempt,
    failures,
    first_seen_at: firstSeenAt,
    due_at: Math.min(Math.round(now + Math.max(laterMs, leastMs)), lastAt),
    ...deadline,
    checks: [...answers.checks],
  };
}
