import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import type { RequestTrace } from "../../answers/outcome.ts";
import { AnswerInvalidError } from "../../answers/service-errors.ts";
import type { Observer } from "../../observer.ts";
import type { RetryDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import type { PooledAnswer, PooledEvidence } from "../ask-pooled.ts";
import type { BatchCutter } from "../batch-cutter.ts";
import type { BatchEntry } from "../batch-entry.ts";
import type { CalibrationTable } from "../canary.ts";
import type { Imitators } from "../canary-check.ts";
import type { FailedRequests } from "../failures/failed-requests.ts";
import type { UnsupportedChains } from "../failures/unsupported-chains.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";
import type { PoolingSwitch } from "../pooling-switch.ts";
import type { EntryQueue, QueuedEntry } from "../queue/entry-queue.ts";
import type { OpenEntries } from "../queue/open-entries.ts";
import { Confirmations } from "./confirmations.ts";
import { haveSameFlags } from "./flagged-by.ts";
import { isFlagged } from "./read-answer.ts";
import { type Reading, readingOf } from "./reading.ts";

/** What the answers change, and the queues of entries that are sent again. */
interface Pool {
  readonly open: OpenEntries;
  readonly queues: BatchCutter;
  readonly pooling: PoolingSwitch;
  readonly calibrations: CalibrationTable;
  readonly failures: FailedRequests;
  readonly unsupported: UnsupportedChains;
  enqueue(queue: EntryQueue, waiting: QueuedEntry): void;
  /** Sends the entries that waited for an answer. */
  start(): void;
}

type Deps = RetryDeps & { readonly observer: Observer; readonly log: Log };

/** Decides what happens to the entries of an answered request: they get their answers, or are sent again. */
export class AnsweredRequests {
  readonly #deps: Deps;
  readonly #pool: Pool;
  readonly #confirmations: Confirmations;

  constructor(deps: Deps, pool: Pool) {
    this.#deps = deps;
    this.#pool = pool;
    this.#confirmations = new Confirmations(pool.calibrations, deps.random, deps.log);
  }

  /** Handles an answer to a request without entries of other events. */
  alone(cut: OutgoingBatch, answers: ReadonlyMap<BatchEntry, PoisoningEvidence | AppError>): void {
    const { queues, pooling } = this.#pool;
    if (queues.answered(cut)) this.#pool.start();
    const reading = readingOf(cut, this.#deps);
    // That several entries may share a request is proved by the canaries of batches.
    const isDoubtful = cut.waiting.length > 1 && pooling.isOffForGood;
    for (const waiting of cut.waiting) {
      const found = answers.get(waiting.part);
      const isClear = found !== undefined && !(found instanceof AppError) && !isFlagged(found);
      if (isDoubtful && isClear) this.#pool.enqueue(queues.alone, waiting);
      else {
        if (found !== undefined && !(found instanceof AppError)) this.#heardAgain(waiting, found);
        this.#read(waiting, found, reading);
      }
    }
  }

  /** Handles an answer to a batch with canaries. */
  pooled(cut: OutgoingBatch & { readonly kind: "pooled" }, { canaries, evidence, imitators }: PooledAnswer): void {
    const { waiting } = cut;
    const { queues, pooling } = this.#pool;
    // Even an answer that does not count shows that the request was not refused.
    if (queues.answered(cut)) this.#pool.start();
    this.#deps.observer.canaries(canaries);
    const counts = pooling.heard(canaries);
    if (pooling.isOff) queues.stopPooling();
    if (!counts) {
      for (const each of waiting) this.#pool.enqueue(cut.isAmongCanaries ? queues.confirming : queues.alone, each);
      return;
    }
    const reading = readingOf(cut, this.#deps);
    if (cut.isAmongCanaries) {
      waiting.forEach((each, i) => {
        this.#askedAmongCanaries(each, evidence[i]);
      });
      return;
    }
    waiting.forEach((each, i) => {
      const found = evidence[i];
      const isAnswer = found !== undefined && found !== "unproved" && !(found instanceof AppError);
      if (found === "unproved") this.#pool.enqueue(queues.alone, each);
      else if (isAnswer && isFlagged(found)) this.#flagged(each, found, imitators, reading);
      else this.#read(each, found, reading);
    });
  }

  #flagged(waiting: QueuedEntry, evidence: PoisoningEvidence, imitators: Imitators, { traceOf }: Reading): void {
    const { queues, pooling } = this.#pool;
    const { observer } = this.#deps;
    const confirmed = this.#confirmations.of(waiting.part, evidence, imitators);
    const trace = traceOf(waiting.trace);
    if (confirmed.by === "own-user" || confirmed.by === "learned") {
      observer.believed(confirmed.by);
      this.#settle(waiting, confirmed.by === "learned" ? { ...evidence, believed: confirmed.by } : evidence, trace);
      return;
    }
    observer.confirming();
    waiting.flagged = { evidence, trace, kind: confirmed.kind, failures: 0 };
    // An entry that was refused in a batch may share a request only with its half. So it is confirmed alone.
    const isAlone = confirmed.by === "alone" || waiting.half !== undefined || pooling.isOff;
    this.#pool.enqueue(isAlone ? queues.confirming : queues.amongCanaries, waiting);
  }

  /** Such a request holds no user of an event, so no user of another event raised its flags. */
  #askedAmongCanaries(waiting: QueuedEntry, found: PooledEvidence | undefined): void {
    const { flagged } = waiting;
    const isAnswer = found !== undefined && found !== "unproved" && !(found instanceof AppError);
    if (flagged === undefined || !isAnswer || !haveSameFlags(flagged.evidence, found)) {
      this.#pool.enqueue(this.#pool.queues.confirming, waiting);
      return;
    }
    this.#heardAgain(waiting, found);
    this.#settle(waiting, flagged.evidence, { ...flagged.trace, requests: waiting.trace.requests });
  }

  #heardAgain(waiting: QueuedEntry, answer: PoisoningEvidence): void {
    const { flagged } = waiting;
    if (flagged === undefined) return;
    waiting.flagged = undefined;
    if (this.#confirmations.confirmed(waiting.part, flagged, answer)) this.#pool.open.forgetAnswers();
  }

  #settle(waiting: QueuedEntry, value: PoisoningEvidence, trace: RequestTrace): void {
    this.#pool.unsupported.answered(waiting.part);
    this.#pool.open.settle(waiting, { ok: true, value, trace });
  }

  /** Settles an entry with its answer, or gives it another attempt when its item was missing. */
  #read(
    waiting: QueuedEntry,
    found: PoisoningEvidence | AppError | undefined,
    { kind, failureOf, traceOf }: Reading,
  ): void {
    const { failures } = this.#pool;
    const answer = found ?? new AnswerInvalidError("the answer lacks the item that was asked");
    if (answer instanceof AppError) failures.retry(waiting, answer, failureOf(answer), kind);
    else this.#settle(waiting, answer, traceOf(waiting.trace));
  }
}
