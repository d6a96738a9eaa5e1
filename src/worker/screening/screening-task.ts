import { plausibleTime } from "../../kernel/clock.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Lane } from "../../messages/lane.ts";
import type { Ticket } from "../../messages/ticket.ts";
import type { CheckEntry, Verdict } from "../../messages/verdict.ts";
import type { Policy, PolicyChoice } from "../../policy/policy.ts";
import { lastingAnswers } from "../answers/lasting-answers.ts";
import type { Outcome, OutcomeListener } from "../answers/outcome.ts";
import { planForReach, type ServiceReach } from "../answers/service-reach.ts";
import { isOnePart } from "../batching/batch-entry.ts";
import type { PoisoningBatcher } from "../batching/poisoning-batcher.ts";
import {
  type AnswerRequester,
  type Answers,
  type AnswersDeps,
  answersTo,
  deadlineOf,
  isPassing,
  isWaitedFor,
  OVERDUE,
  settledInPart,
  sorted,
  unanswered,
} from "../checks/answers.ts";
import { listedEntries } from "../checks/listed-entry.ts";
import { questionKey } from "../checks/question-key.ts";
import { toCheckEntry } from "../checks/to-check-entry.ts";
import { buildVerdict, type VerdictDeps } from "../decide/build-verdict.ts";
import { type Case, decide } from "../decide/decide.ts";
import { plan } from "../plan/plan.ts";
import type { Plan, PoisoningQuestion } from "../plan/question.ts";
import { type Identity, identityOf, identityOfUnreadable, tenantOf } from "../plan/reading/record-identity.ts";
import { unreadablePlan } from "../plan/refused-plan.ts";
import type { InputRecord, TicketSink, VerdictSink } from "../ports.ts";
import type { Requester, RequestLane } from "../rate-limit/queue/waiter.ts";
import { BatchedDeadline } from "./batched-deadline.ts";
import { nextTicket } from "./next-ticket.ts";
import { type Grace, isPastDeadline, type OverdueGrace } from "./overdue-grace.ts";

export interface ScreenDeps extends Omit<AnswersDeps, "deadlines">, VerdictDeps {
  readonly pool: Pick<PoisoningBatcher, "ask" | "askFor" | "withdraw">;
  readonly policyFor: PolicyChoice;
  /** Lists and labels in use. The book changes when a file does. */
  readonly lists: { readonly book: AddressBook };
  readonly reach: ServiceReach;
  readonly sink: VerdictSink;
  readonly tickets: TicketSink;
  /** Called for each verdict once it is written. */
  readonly onVerdict: (verdict: Verdict) => void;
}

/**
 * Notified once per record, with the place by which the caller knows the record. Must not throw, because other
 * listeners follow.
 */
export interface Settling<P> {
  /** The verdict or a ticket is written, or the partition was lost. */
  settled(place: P): void;
  /**
   * Neither a verdict nor a ticket is written.
   *
   * @param thrown A bug, an abort, or the end of the run.
   */
  failed(place: P, thrown: unknown): void;
}

/** What all screenings share. */
interface Host<P> {
  readonly deps: ScreenDeps & AnswersDeps;
  readonly settling: Settling<P>;
  readonly grace: OverdueGrace;
  /** Has `screening` told when `write` is done. */
  settle(write: Promise<void>, screening: ScreeningTask<P>): void;
}

/** For a record of a lost partition. */
const NOTHING_TO_WRITE = Promise.resolve();

/**
 * One record in flight. This object holds everything that the record needs, beside its questions. Nearly every event
 * asks the batcher one question and is settled by the answer, without a promise. Every other event uses promises.
 */
export class ScreeningTask<P> implements Requester, OutcomeListener<PoisoningEvidence> {
  readonly #record: InputRecord;
  readonly #place: P;
  readonly #host: Host<P>;
  readonly #policy: Policy;
  readonly #plan: Plan;
  readonly #firstSeenAt: number;
  /** The grace of an event that was overdue when it was read. */
  readonly #grace: Grace | undefined;
  /** What is being written. */
  #said: Verdict | undefined = undefined;

  constructor(record: InputRecord, place: P, host: Host<P>) {
    const { deps } = host;
    const { event } = record;
    this.#record = record;
    this.#place = place;
    this.#host = host;
    this.#policy = deps.policyFor(tenantOf(record));
    this.#plan = event.ok
      ? planForReach(plan(event.value, this.#policy.table, deps.lists.book), deps.reach)
      : unreadablePlan(record, event.detail);
    this.#firstSeenAt = record.ticket?.first_seen_at ?? deps.clock.now();
    this.#grace = this.#isOverdueAlready() ? host.grace.begin() : undefined;
  }

  get lane(): Lane {
    return laneOf(this.#record);
  }

  /** An event that has a provisional verdict has no deadline any more. */
  get requestLane(): RequestLane {
    if (this.#grace !== undefined) return "overdue";
    return this.lane === "realtime" && this.#record.revision > 0 ? "late" : this.lane;
  }

  get tenant(): string {
    return tenantOf(this.#record) ?? "";
  }

  begin(): void {
    const only = this.#onlyQuestion();
    if (only !== undefined) this.#ask(only);
    else if (this.#plan.questions.length === 0) this.#say([]);
    else this.#askAll().catch((thrown: unknown) => this.failed(thrown));
  }

  answered(outcome: Outcome<PoisoningEvidence>): void {
    this.answeredBefore(Number.POSITIVE_INFINITY, outcome);
  }

  answeredBefore(deadlineAt: number, outcome: Outcome<PoisoningEvidence>): void {
    try {
      const { questions } = this.#plan;
      const question = questions[0];
      if (question === undefined) throw new Error("a question without a request has no answer");
      const entry = toCheckEntry(question, outcome);
      if (!isPassing(entry)) this.#say([entry]);
      else this.#conclude(this.#sorted(entry, this.#putOffUntil(deadlineAt)), deadlineAt);
    } catch (thrown) {
      this.failed(thrown);
    }
  }

  failed(thrown: unknown): void {
    this.#host.settling.failed(this.#place, thrown);
  }

  waitsUntil(): number {
    return this.#grace?.endsAt() ?? Number.NEGATIVE_INFINITY;
  }

  overdue(): void {
    try {
      this.#conclude(this.#sorted(OVERDUE, 0), 0);
    } catch (thrown) {
      this.failed(thrown);
    }
  }

  /** @param now When the caller was notified, Unix milliseconds. One value serves a thousand verdicts. */
  written(now: number): void {
    const said = this.#said;
    // The garbage collector frees long-lived objects late, so the verdict is released here.
    this.#said = undefined;
    try {
      if (said !== undefined) this.#tellOf(said, now);
    } catch (thrown) {
      this.failed(thrown);
      return;
    }
    this.#host.settling.settled(this.#place);
  }

  /** The event's only question, if the batcher can answer it in one entry and no ticket brings earlier answers. */
  #onlyQuestion(): PoisoningQuestion | undefined {
    const { questions } = this.#plan;
    const question = questions[0];
    if (questions.length !== 1 || question?.check !== "poisoning" || !("target" in question)) return undefined;
    const fits = isOnePart(question, this.#host.deps.reach.maxItems);
    return this.#record.ticket === undefined && fits ? question : undefined;
  }

  #ask(question: PoisoningQuestion): void {
    const { deps } = this.#host;
    const until = this.#isWaitedFor ? new BatchedDeadline(this, deps.deadlines, this.#deadlineAt) : undefined;
    const told = until ?? this;
    try {
      const asked = deps.pool.askFor(told, question, this);
      if (asked !== undefined && until !== undefined) until.withdraw = () => deps.pool.withdraw(asked, until);
    } catch (thrown) {
      told.failed(thrown);
    }
  }

  get #isWaitedFor(): boolean {
    return isWaitedFor(this.#record, this.lane);
  }

  /** When the caller began to wait, Unix milliseconds. */
  get #since(): number {
    return plausibleTime(this.#record.timestamp ?? Number.NaN, this.#firstSeenAt) ?? this.#firstSeenAt;
  }

  /** Milliseconds of `ticks`, computed from the current clocks. */
  get #deadlineAt(): number {
    return deadlineOf(this.#since, this.#record.ticket?.deadline_at, this.#host.deps);
  }

  #isOverdueAlready(): boolean {
    if (!this.#isWaitedFor) return false;
    const { clock, deadlineMs } = this.#host.deps;
    const now = clock.now();
    const putOffUntil = this.#record.ticket?.deadline_at ?? Number.NEGATIVE_INFINITY;
    return putOffUntil <= now && isPastDeadline(this.#since, now, deadlineMs);
  }

  /** Until when it may be put off without a verdict, milliseconds of `ticks`. */
  #putOffUntil(deadlineAt: number): number {
    return this.#grace?.putOffUntil() ?? deadlineAt;
  }

  #sorted(answer: CheckEntry | typeof OVERDUE, deadlineAt: number): Answers {
    const { failuresLaterMs, clock } = this.#host.deps;
    const times = { failuresLaterMs: failuresLaterMs(0), msLeft: deadlineAt - clock.ticks() };
    return sorted(this.#plan.questions, [answer], times);
  }

  async #askAll(): Promise<void> {
    const deadlineAt = this.#isWaitedFor ? this.#deadlineAt : Number.POSITIVE_INFINITY;
    const { lane, requestLane, tenant } = this;
    const waiter: AnswerRequester = { lane, requestLane, tenant, deadlineAt, grace: this.#grace };
    const { ticket, isCrowded } = this.#record;
    const askedBeside = (earlier: InputRecord["ticket"]) =>
      answersTo(this.#plan.questions, { ticket: earlier, isCrowded }, waiter, this.#host.deps);
    const found = await askedBeside(ticket);
    if (ticket === undefined || found.open.length > 0) return this.#conclude(found, deadlineAt);
    const checks = lastingAnswers(found.checks, ticket.checks, this.#plan, this.#policy.table);
    const isAll = checks === found.checks;
    const answers = isAll ? found : await askedBeside({ ...ticket, checks });
    this.#conclude(answers, deadlineAt);
  }

  /** @param deadlineAt The deadline, milliseconds of `ticks`. */
  #conclude(found: Answers, deadlineAt: number): void {
    const answers = settledInPart(found, (checks) => this.#isBlocked(checks));
    if (answers.open.length === 0) this.#say(answers.checks);
    else {
      this.#putOff(answers, this.#putOffUntil(deadlineAt)).then(
        () => this.#host.settling.settled(this.#place),
        (thrown: unknown) => this.failed(thrown),
      );
    }
  }

  /** Whether these answers suffice for BLOCK, whatever the other answers are. */
  #isBlocked(answered: readonly CheckEntry[]): boolean {
    return decide(this.#facts(answered, this.#host.deps.lists.book), this.#policy.table).decision === "BLOCK";
  }

  /** Publishes the final verdict. The record is settled once it is written. */
  #say(checks: readonly CheckEntry[]): void {
    if (this.#grace !== undefined && checks.some(isAnswer)) this.#host.grace.eventAnswered();
    const verdict = this.#verdict(this.#identity(), checks);
    const isOurs = this.#isOurs();
    if (isOurs) this.#said = verdict;
    const write = isOurs ? this.#host.deps.sink.write(verdict, this.#record, true) : NOTHING_TO_WRITE;
    this.#host.settle(write, this);
  }

  async #putOff(answers: Answers, deadlineAt: number): Promise<void> {
    const { tickets, sink, clock } = this.#host.deps;
    const [record, identity] = [this.#record, this.#identity()];
    const ticketNow = () => {
      const now = clock.now();
      const times = { firstSeenAt: this.#firstSeenAt, now, deadlineAt: now + deadlineAt - clock.ticks() };
      return nextTicket(record, identity.verdict_id, answers, times);
    };
    const ticket = ticketNow();
    if (ticket !== undefined && tickets.comesFirst) await this.#put(ticket, answers);
    if (ticket === undefined || answers.isOverdue) {
      const said = this.#verdict(identity, [...answers.checks, ...unanswered(answers.open, ticket !== undefined)]);
      if (this.#isOurs()) {
        await sink.write(said, record, ticket === undefined);
        this.#tellOf(said, clock.now());
      }
    }
    // If the clock was set back while the verdict was written, the ticket would wait for that much longer.
    if (ticket !== undefined && !tickets.comesFirst) await this.#put(ticketNow() ?? ticket, answers);
  }

  async #put(ticket: Ticket, { open }: Answers): Promise<void> {
    const { observer, tickets } = this.#host.deps;
    if (!this.#isOurs()) return;
    observer.ticket(this.lane);
    const [first] = open;
    const question = first === undefined ? undefined : questionKey(first.question);
    await tickets.put(ticket, this.#record, question ?? ticket.verdict_id);
  }

  #identity(): Identity {
    const { event } = this.#record;
    return event.ok ? identityOf(event.value, this.#record) : identityOfUnreadable(this.#record);
  }

  #verdict(identity: Identity, found: readonly CheckEntry[]): Verdict {
    // One book for both uses: the verdict names the lists in which the event was looked up.
    const { book } = this.#host.deps.lists;
    return buildVerdict(this.#record, identity, this.#facts(found, book), this.#policy, this.#host.deps, book.id);
  }

  #facts(answered: readonly CheckEntry[], book: AddressBook): Case {
    const { subject, requiredChecks, settled, parties } = this.#plan;
    const listed = listedEntries(requiredChecks, parties, answered, book);
    const checks = settled.length === 0 && listed.length === 0 ? answered : [...settled, ...listed, ...answered];
    return { subject, requiredChecks, checks };
  }

  #isOurs(): boolean {
    return this.#record.isOurs?.() !== false;
  }

  #tellOf(verdict: Verdict, now: number): void {
    const { onVerdict, observer } = this.#host.deps;
    const { timestamp, ticket } = this.#record;
    onVerdict(verdict);
    const since = timestamp === undefined ? (ticket?.first_seen_at ?? now) : this.#since;
    observer.verdict(verdict, this.lane, now - since);
  }
}

/** Whether the service gave it just now. */
function isAnswer(entry: CheckEntry): boolean {
  return !entry.cached && entry.answered_at !== undefined && !isPassing(entry);
}

/** The topic decides, or else the event; what says nothing can wait. */
export function laneOf({ lane, event }: InputRecord): Lane {
  return lane ?? (event.ok ? event.value.lane : undefined) ?? "backfill";
}
