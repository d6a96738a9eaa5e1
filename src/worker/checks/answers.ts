import { unixMs } from "../../kernel/clock.ts";
import { unansweredParts } from "../../messages/evidence.ts";
import type { Lane } from "../../messages/lane.ts";
import type { CheckEntry, FailureCode } from "../../messages/verdict.ts";
import { failed } from "../answers/check-entry.ts";
import { PartialResult } from "../answers/partial-result.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import type { Question } from "../plan/question.ts";
import type { InputRecord } from "../ports.ts";
import { type Requester, requestLaneOf } from "../rate-limit/queue/waiter.ts";
import type { Deadlines } from "../screening/deadlines.ts";
import type { Grace } from "../screening/overdue-grace.ts";
import { type AskDeps, ask, type CheckResult, partialEntry } from "./ask.ts";
import { Cancellation } from "./cancellation.ts";
import type { Polled } from "./poll-waits.ts";

/** What is known when the waiting is over. */
export interface Answers {
  /** One entry a question that was answered. */
  readonly checks: readonly CheckEntry[];
  /** Questions that were not, or not in full. */
  readonly open: readonly OpenQuestion[];
  /** After how long the open ones should be asked again; 0 when they still are on their way. */
  readonly laterMs: number;
  /** Whether somebody could not wait any longer. */
  readonly isOverdue: boolean;
  /** Whether a failure is among what is put off. */
  readonly isFailure: boolean;
}

export interface OpenQuestion {
  readonly question: Question;
  /** Why not, when its failure is put off, too; with data it is an answer in part. */
  readonly failure?: CheckEntry;
}

/** On behalf of which record questions are asked, and for how long their answers are of use. */
export interface AnswerRequester extends Requester {
  /** Milliseconds of `ticks`; infinite where an event can wait. */
  readonly deadlineAt: number;
  /** Of an event that was overdue when it was read: its deadline may move. */
  readonly grace?: Grace | undefined;
}

/** Stands for an answer that did not come in time. */
export const OVERDUE = "overdue" as const;

export interface AnswersDeps extends AskDeps {
  readonly pool: Pick<PoisoningBatcher, "ask">;
  readonly deadlines: Deadlines;
  /** How long somebody waits for a realtime event, milliseconds, before it is UNKNOWN for the time being. */
  readonly deadlineMs: number;
  /** How long a realtime event that is overdue when it is read waits for its answer all the same, milliseconds. */
  readonly overdueGraceMs: number;
  /** What becomes of failures that may be over later. */
  readonly failuresLaterMs: FailuresLater;
}

/** What was found out about a record before, and how its partition stands. */
interface Known {
  readonly ticket?: InputRecord["ticket"] | undefined;
  readonly isCrowded?: InputRecord["isCrowded"] | undefined;
}

const never = () => false;
const nothing = () => undefined;

/**
 * Puts the questions of one record, and waits until each is answered or put off; for a realtime event, no longer than
 * its deadline, and not at all for what is put off beyond it. What an earlier ticket brings is not asked again.
 *
 * @throws only a bug, an abort, or the end of the run.
 */
export async function answersTo(
  questions: readonly Question[],
  record: Known,
  waiter: AnswerRequester,
  deps: AnswersDeps,
): Promise<Answers> {
  const { lane, tenant, deadlineAt, grace } = waiter;
  const known = record.ticket?.checks.filter((entry) => isStillGood(entry, lane, deps.clock.now()));
  const leaving = deadlineAt === Number.POSITIVE_INFINITY ? undefined : new Cancellation();
  const requestLane = requestLaneOf(waiter);
  const until = leaving === undefined ? {} : { leaving, deadlineAt };
  const asker = { lane, requestLane, tenant, isCrowded: record.isCrowded ?? never, ...until };
  const soFar = questions.map(() => new PartialResult<Polled<unknown>>());
  const asked = questions.map((question, i): Promise<CheckResult> => {
    const entry = known?.findLast(({ check }) => check === question.check);
    return entry === undefined ? ask(question, asker, deps, soFar[i]) : Promise.resolve(entry);
  });
  const answers = await (leaving === undefined ? Promise.all(asked) : within(waiter, asked, leaving, deps.deadlines));
  const times = {
    failuresLaterMs: deps.failuresLaterMs(failuresOf(record)),
    msLeft: (grace?.putOffUntil() ?? deadlineAt) - deps.clock.ticks(),
  };
  return sorted(questions, answers, times, (question, i) => partialEntry(question, soFar[i]?.known));
}

/** How often a record was put off for a failure. An analysis in progress is none, and says itself when to ask again. */
export function failuresOf({ ticket }: Pick<Known, "ticket">): number {
  return ticket?.failures ?? ticket?.attempt ?? 0;
}

/**
 * When a realtime event can wait no longer for its answer, milliseconds of `ticks`: at its own deadline, but not before the
 * grace is over. After a backlog or a crash the answer takes milliseconds, and an UNKNOWN ahead of it would only be a second
 * verdict. A ticket that is back in time keeps the deadline that the event had when it was put off: a grace for each ticket
 * would put that deadline off for as long as the service says "soon".
 *
 * @param since when the event was written, Unix milliseconds. @param putOffUntil the deadline in its ticket, likewise.
 */
export function deadlineOf(
  since: number,
  putOffUntil: number | undefined,
  { clock, deadlineMs, overdueGraceMs }: Pick<AnswersDeps, "clock" | "deadlineMs" | "overdueGraceMs">,
): number {
  const now = clock.now();
  const isInTime = putOffUntil !== undefined && putOffUntil > now;
  const leftMs = isInTime ? putOffUntil - now : Math.max(overdueGraceMs, since + deadlineMs - now);
  // A wall clock that was set must neither end the wait nor make it longer.
  return clock.ticks() + Math.min(deadlineMs, leftMs);
}

/** Whether somebody waits for it now. A verdict that takes the place of another is not waited for: somebody has that one. */
export function isWaitedFor({ revision }: Pick<InputRecord, "revision">, lane: Lane): boolean {
  return lane === "realtime" && revision === 0;
}

/**
 * Tells what is answered from what is to be asked again.
 *
 * @param msLeft until somebody can wait no longer. @param soFar what is known of a question that is overdue.
 */
export function sorted(
  questions: readonly Question[],
  answers: readonly (CheckResult | typeof OVERDUE)[],
  { failuresLaterMs, msLeft }: { readonly failuresLaterMs: number | undefined; readonly msLeft: number },
  soFar: (question: Question, at: number) => CheckEntry | undefined = nothing,
): Answers {
  const checks: CheckEntry[] = [];
  const open: OpenQuestion[] = [];
  const waits: number[] = [];
  let isFailure = false;
  for (const [i, question] of questions.entries()) {
    const answer = answers[i] ?? OVERDUE;
    if (answer === OVERDUE) open.push(openBy(question, soFar(question, i)));
    else if ("laterMs" in answer) {
      open.push(openBy(question, answer.known));
      waits.push(answer.laterMs);
    } else if (failuresLaterMs !== undefined && isPassing(answer)) {
      open.push({ question, failure: answer });
      waits.push(failuresLaterMs);
      isFailure = true;
    } else checks.push(answer);
  }
  const laterMs = Math.max(0, ...waits);
  const isOverdue = answers.includes(OVERDUE) || (waits.length > 0 && laterMs >= msLeft);
  return { checks, open, laterMs, isOverdue, isFailure };
}

/** The same without waiting for parts of checks, if the others are enough to say what the rest could not take back. */
export function settledInPart(answers: Answers, isEnough: (checks: readonly CheckEntry[]) => boolean): Answers {
  const inPart = answers.open.flatMap(({ failure }) => (failure?.data === undefined ? [] : [failure]));
  const checks = [...answers.checks, ...inPart];
  if (inPart.length === 0 || !isEnough(checks)) return answers;
  return { ...answers, checks, open: answers.open.filter(({ failure }) => failure?.data === undefined) };
}

function openBy(question: Question, failure: CheckEntry | undefined): OpenQuestion {
  return failure === undefined ? { question } : { question, failure };
}

/**
 * After how many milliseconds a failure that may be over by then is asked about again, by how often the record was put
 * off for failures before; undefined: it stands.
 */
export type FailuresLater = (failures: number) => number | undefined;

/**
 * How old an answer may be that an event's own ticket brings back, milliseconds. The cache's ages are for what others were
 * answered: an event whose own answers went bad while it waits for the last of them would ask for them at every ticket.
 */
const MAX_AGE_MS = { realtime: 3_600_000, backfill: 86_400_000 } as const;

/** Failures that come from somewhere on the way: asked again, the same question may be answered. */
const passing: ReadonlySet<string> = new Set<FailureCode>([
  "SERVICE_UNAVAILABLE",
  "SERVICE_NOT_READY",
  "SERVICE_RATE_LIMITED",
  "SERVICE_UNAUTHORIZED",
  "DEADLINE_PASSED",
  "ANSWER_INVALID",
]);

/** Whether a check, or a part of it, failed by what may be over later. */
export function isPassing({ check, outcome, error, data }: CheckEntry): boolean {
  if (outcome === "failed" && error !== undefined && passing.has(error.code)) return true;
  const parts = unansweredParts(check, data);
  return parts.length > 0 && parts.some(({ code }) => passing.has(code));
}

/**
 * Whether an entry that was made earlier still counts: neither too old an answer, nor a failure that may be over. One that
 * was answered in part is kept only where that is enough.
 */
function isStillGood({ outcome, error, data, answered_at: at }: CheckEntry, lane: Lane, now: number): boolean {
  if (outcome !== "ok") {
    if (error === undefined || passing.has(error.code)) return false;
    // Without an answer there is nothing to be too old.
    if (data === undefined) return true;
  }
  // Of a verdict that was too large for its record the answer is gone.
  if (data === undefined) return false;
  const age = at === undefined ? Number.NaN : now - unixMs(at);
  return age >= 0 && age <= MAX_AGE_MS[lane];
}

/** A check entry for each question without an answer, which holds what is known of it in part. */
export function unanswered(open: readonly OpenQuestion[], isOverdue: boolean): CheckEntry[] {
  return open.map(({ question: { check }, failure }) => {
    if (!isOverdue)
      return failure ?? failed(check, "SERVICE_NOT_READY", "the analysis was still in progress at the last poll");
    const late = failed(check, "DEADLINE_PASSED", "no answer in time; a later revision of this verdict will have it");
    return failure?.data === undefined ? late : { ...failure, outcome: late.outcome, error: late.error };
  });
}

async function within(
  { deadlineAt, grace }: AnswerRequester,
  asked: readonly Promise<CheckResult>[],
  leaving: Cancellation,
  deadlines: Deadlines,
): Promise<readonly (CheckResult | typeof OVERDUE)[]> {
  const { promise: deadline, resolve } = Promise.withResolvers<typeof OVERDUE>();
  const overdue = () => {
    resolve(OVERDUE);
    // What waits for a slot would take it from an event that can still be on time.
    leaving.leave();
  };
  const due = { overdue, waitsUntil: () => grace?.endsAt() ?? deadlineAt };
  deadlines.add(due, deadlineAt);
  // An answer that comes later is for the next event that asks the question; so is a failure.
  for (const each of asked) each.catch(() => undefined);
  try {
    return await Promise.all(asked.map((each) => Promise.race([each, deadline])));
  } finally {
    deadlines.remove(due);
  }
}
