import { MAX_EVENT_BYTES } from "../events/event.ts";
import type { Lane } from "../events/lane.ts";
import type { Policy, PolicyChoice } from "../events/policy.ts";
import { MAX_TICKET_AGE_MS, MAX_TICKETS, TICKET_SCHEMA, type Ticket } from "../events/ticket.ts";
import { type CheckEntry, VERDICT_SCHEMA, type Verdict } from "../events/verdict.ts";
import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/sha256.ts";
import { type Answers, answersTo, type FailuresLater, unanswered } from "./answers.ts";
import type { AskDeps } from "./ask.ts";
import { failed } from "./check-entry.ts";
import { type Case, decide } from "./decide.ts";
import { fitEvidence } from "./fit-evidence.ts";
import { plan } from "./plan.ts";
import type { InputRecord, TicketSink, VerdictSink } from "./ports.ts";
import { questionKey } from "./question-key.ts";
import { type Identity, identityOf, identityOfUnreadable } from "./record-identity.ts";

export interface ScreenDeps extends AskDeps {
  readonly policyFor: PolicyChoice;
  /** Name and version of this program, as verdicts name it. */
  readonly software: string;
  readonly sink: VerdictSink;
  readonly tickets: TicketSink;
  /** How long somebody waits for a realtime event, milliseconds, before it is UNKNOWN for the time being. */
  readonly deadlineMs: number;
  /** What becomes of failures that may be over later. */
  readonly failuresLaterMs: FailuresLater;
  /** Most bytes of a verdict as JSON; larger evidence is reduced. */
  readonly maxVerdictBytes: number;
  /** Told of each verdict once it is written. */
  readonly onVerdict: (verdict: Verdict) => void;
}

/**
 * One record: read -> plan -> ask -> decide -> publish. It resolves when the record is settled: by its verdict, or by a
 * ticket that brings it back. An overdue event gets both: UNKNOWN for now, and a ticket for the next revision. Of one that
 * is no longer ours nothing is written: whoever has it now writes the same.
 *
 * @throws only a bug, an abort, or the end of the run.
 */
export async function screenRecord(record: InputRecord, deps: ScreenDeps): Promise<void> {
  const { event } = record;
  if (record.ticket?.attempt === undefined) deps.observer.event(laneOf(record));
  if (!event.ok) {
    await publish(unreadable(record, event.detail, deps), record, deps);
    return;
  }
  const policy = deps.policyFor(event.value.tenant);
  const planned = plan(event.value, policy.table);
  const firstSeenAt = record.ticket?.first_seen_at ?? deps.clock.now();
  const { tenant = "" } = event.value;
  const waiter = { lane: laneOf(record), tenant, since: record.timestamp ?? firstSeenAt };
  const answers = await answersTo(planned.questions, record, waiter, deps);
  const identity = identityOf(event.value, record);
  const verdict = (checks: readonly CheckEntry[]) =>
    verdictOn(record, identity, { ...planned, checks: [...planned.settled, ...checks] }, policy, deps);
  if (answers.open.length === 0) return publish(verdict(answers.checks), record, deps);
  const ticket = nextTicket(record, identity, answers, { firstSeenAt, now: deps.clock.now() });
  if (ticket !== undefined && deps.tickets.comesFirst) await putOff(ticket, record, answers, deps);
  if (ticket === undefined || answers.isOverdue) {
    const said = verdict([...answers.checks, ...unanswered(answers.open, ticket !== undefined)]);
    await publish(said, record, deps, ticket === undefined);
  }
  if (ticket !== undefined && !deps.tickets.comesFirst) await putOff(ticket, record, answers, deps);
}

async function putOff(ticket: Ticket, record: InputRecord, { open }: Answers, deps: ScreenDeps): Promise<void> {
  if (record.isOurs?.() === false) return;
  deps.observer.ticket(laneOf(record));
  const [first] = open;
  const question = first === undefined ? undefined : questionKey(first.question);
  await deps.tickets.put(ticket, record, question ?? ticket.verdict_id);
}

/** The topic decides, or else the event; what says nothing can wait. */
function laneOf({ lane, event }: InputRecord): Lane {
  return lane ?? (event.ok ? event.value.lane : undefined) ?? "backfill";
}

/** Room for what of an event its verdict repeats, and for its reasons: 50 of 500 characters, of six bytes at worst. */
const OTHER_BYTES = MAX_EVENT_BYTES + 192 * 1024;

/** What brings the record back; undefined when that was done too often, or for too long. */
function nextTicket(
  record: InputRecord,
  { verdict_id }: Identity,
  answers: Answers,
  { firstSeenAt, now }: { readonly firstSeenAt: number; readonly now: number },
): Ticket | undefined {
  const attempt = (record.ticket?.attempt ?? 0) + 1;
  const lastAt = firstSeenAt + MAX_TICKET_AGE_MS;
  if (attempt > MAX_TICKETS || now >= lastAt) return undefined;
  return {
    schema: TICKET_SCHEMA,
    verdict_id,
    source: record.source,
    // What is said in the meantime is this revision; what is found out later takes its place.
    revision: answers.isOverdue ? record.revision + 1 : record.revision,
    attempt,
    first_seen_at: firstSeenAt,
    due_at: Math.min(now + answers.laterMs, lastAt),
    checks: [...answers.checks],
  };
}

async function publish(
  verdict: Verdict,
  record: InputRecord,
  { sink, onVerdict, observer, clock }: ScreenDeps,
  isLast = true,
): Promise<void> {
  if (record.isOurs?.() === false) return;
  await sink.write(verdict, record, isLast);
  onVerdict(verdict);
  const now = clock.now();
  const since = record.timestamp ?? record.ticket?.first_seen_at ?? now;
  observer.verdict(verdict, laneOf(record), now - since);
}

/** UNKNOWN, by the policy of nobody in particular. */
function unreadable(record: InputRecord, detail: string, deps: ScreenDeps): Verdict {
  const { bytes } = record;
  const where = "line" in record.source ? `line ${record.source.line}: ` : "";
  const facts: Case = {
    subject: { type: "unreadable", record_sha256: sha256(bytes) },
    requiredChecks: [],
    checks: [failed("event", "EVENT_MALFORMED", `${where}${detail}`)],
  };
  return verdictOn(record, identityOfUnreadable(record), facts, deps.policyFor(undefined), deps);
}

function verdictOn(
  record: InputRecord,
  identity: Identity,
  facts: Case,
  policy: Policy,
  { clock, software, maxVerdictBytes }: ScreenDeps,
): Verdict {
  // Before the decision: it must be the one that the verdict's own evidence gives.
  const checks = fitEvidence(facts.checks, maxVerdictBytes - OTHER_BYTES);
  const { decision, reasons } = decide({ ...facts, checks }, policy.table);
  const { ref, ...ids } = identity;
  return {
    schema: VERDICT_SCHEMA,
    ...ids,
    revision: record.revision,
    decision,
    reasons: [...reasons],
    subject: facts.subject,
    required_checks: [...facts.requiredChecks],
    checks: [...checks],
    policy: { id: policy.id, sha256: policy.sha256 },
    source: record.source,
    ...(ref === undefined ? {} : { ref }),
    decided_at: timestamp(clock.now()),
    software,
  };
}
