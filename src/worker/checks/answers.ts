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
import type { DeadlineWatch } from "../screening/deadline-watch.ts";
import type { Grace } from "../screening/overdue-grace.ts";
import { type AskDeps, ask, type CheckResult, partialEntry } from "./ask.ts";
import { Cancellation } from "./cancellation.ts";
import type { Polled } from "./poll-waits.ts";

/** The answers that are known when the waiting ends. */
export interface Answers {
  /** One entry per answered question. */
  readonly checks: readonly CheckEntry[];
  /** Questions without an answer, or with only part of it. */
  readonly open: readonly OpenQuestion[];
  /** After how many milliseconds the open questions should be sent again. 0 while they are still in flight. */
  readonly laterMs: number;
  /** Whether the deadline of a realtime event has passed. */
  readonly isOverdue: boolean;
  /** Whether a question is put off because of a failure. */
  readonly isFailure: boolean;
}

export interface OpenQuestion {
  readonly question: Question;
  /** The failure, if the question is put off for it. With data it is a partial answer. */
  readonly failure?: CheckEntry;
}

/** The record for which questions are asked, and the deadline of their answers. */
export interface AnswerRequester extends Requester {
  /** Milliseconds of `ticks`. Infinite when the event can wait. */
  readonly deadlineAt: number;
  /** Of an event that was overdue when it was read: its deadline may move. */
  readonly grace?: Grace | undefined;
}

/** Replaces an answer that did not arrive before the deadline. */
export const OVERDUE = "overdue" as const;

export interface AnswersDeps extends AskDeps {
  readonly pool: Pick<PoisoningBatcher, "ask">;
  readonly deadlines: DeadlineWatch;
  /** How long the caller waits for a realtime event, milliseconds, before a provisional UNKNOWN is published. */
  readonly deadlineMs: number;
  /** How long a realtime event that is overdue when it is read still waits for its answer, milliseconds. */
  readonly overdueGraceMs: number;
  /** The delay of failures that may be temporary. */
  readonly failuresLaterMs: FailuresLater;
}

/** Earlier answers to a record, and the load of its partition. */
interface Known {
  readonly ticket?: InputRecord["ticket"] | undefined;
  readonly isCrowded?: InputRecord["isCrowded"] | undefined;
}

const never = () => false;
const nothing = () => undefined;

/**
 * Sends the questions of one record and waits until each is answered or put off. A realtime event waits no longer than
 * its deadline. It does not wait for questions that are put off beyond the deadline. Answers from an earlier ticket are
 * reused.
 *
 * @throws only for a bug, an abort, or the end of the run.
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

/** How often a record was put off for a failure. A running analysis is no failure, and states its own delay. */
export function failuresOf({ ticket }: Pick<Known, "ticket">): number {
  return ticket?.failures ?? ticket?.attempt ?? 0;
}

/**
 * The deadline of a realtime event's answer, milliseconds of `ticks`: its own deadline, but not before the grace ends.
 * After a backlog or a crash the answer takes milliseconds. An UNKNOWN before it would only be a second verdict.
 *
 * A ticket that is back in time keeps the deadline from when the event was put off. A new grace per ticket would
 * postpone that deadline for as long as the service says "soon".
 *
 * @param since When the event was written, Unix milliseconds.
 * @param putOffUntil The deadline in the ticket, Unix milliseconds.
 */
export function deadlineOf(
  since: number,
  putOffUntil: number | undefined,
  { clock, deadlineMs, overdueGraceMs }: Pick<AnswersDeps, "clock" | "deadlineMs" | "overdueGraceMs">,
): number {
  const now = clock.now();
  const isInTime = putOffUntil !== undefined && putOffUntil > now;
  const leftMs = isInTime ? putOffUntil - now : Math.max(overdueGraceMs, since + deadlineMs - now);
  // A wall clock that was set must neither end the wait nor extend it.
  return clock.ticks() + Math.min(deadlineMs, leftMs);
}

/**
 * Whether a caller waits for the verdict now. A revised verdict is not waited for, because the caller has the first
 * one.
 */
export function isWaitedFor({ revision }: Pick<InputRecord, "revision">, lane: Lane): boolean {
  return lane === "realtime" && revision === 0;
}

/**
 * Separates the answered questions from the questions that are sent again.
 *
 * @param msLeft Milliseconds until the deadline.
 * @param soFar The known part of the answer to an overdue question.
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

/** Accepts partial answers as final, if no missing part could change the verdict. */
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
 * The delay in milliseconds before a failed question is sent again, by how often the record was put off before.
 * Undefined: the failure is final.
 */
export type FailuresLater = (failures: number) => number | undefined;

/**
 * Largest age of an answer that an event's own ticket brings back, milliseconds. The ages of the cache apply to answers
 * for other events. With these ages, an event that waits for its last answer would repeat its other questions with
 * every ticket.
 */
const MAX_AGE_MS = { realtime: 3_600_000, backfill: 86_400_000 } as const;

/** Temporary failures: the same question may be answered later. */
const passing: ReadonlySet<string> = new Set<FailureCode>([
  "SERVICE_UNAVAILABLE",
  "SERVICE_NOT_READY",
  "SERVICE_RATE_LIMITED",
  "SERVICE_UNAUTHORIZED",
  "DEADLINE_PASSED",
  "ANSWER_INVALID",
]);

/** Whether a check, or a part of it, failed temporarily. */
export function isPassing({ check, outcome, error, data }: CheckEntry): boolean {
  if (outcome === "failed" && error !== undefined && passing.has(error.code)) return true;
  const parts = unansweredParts(check, data);
  return parts.length > 0 && parts.some(({ code }) => passing.has(code));
}

/**
 * Whether an earlier entry still counts: its answer is recent, and its failure is not temporary. A partial answer is
 * kept only if it is sufficient.
 */
function isStillGood({ outcome, error, data, answered_at: at }: CheckEntry, lane: Lane, now: number): boolean {
  if (outcome !== "ok") {
    if (error === undefined || passing.has(error.code)) return false;
    // A failure without an answer does not age.
    if (data === undefined) return true;
  }
  // A verdict that was too large for its record has lost its answer.
  if (data === undefined) return false;
  const age = at === undefined ? Number.NaN : now - unixMs(at);
  return age >= 0 && age <= MAX_AGE_MS[lane];
}

/** A check entry for each question without a full answer, with the known part of the answer. */
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
  deadlines: DeadlineWatch,
): Promise<readonly (CheckResult | typeof OVERDUE)[]> {
  const { promise: deadline, resolve } = Promise.withResolvers<typeof OVERDUE>();
  const overdue = () => {
    resolve(OVERDUE);
    // A waiting question would take a permit from an event that can still meet its deadline.
    leaving.leave();
  };
  const due = { overdue, waitsUntil: () => grace?.endsAt() ?? deadlineAt };
  deadlines.add(due, deadlineAt);
  // A later answer or failure serves the next event with the question.
  for (const each of asked) each.catch(() => undefined);
  try {
    return await Promise.all(asked.map((each) => Promise.race([each, deadline])));
  } finally {
    deadlines.remove(due);
  }
}
