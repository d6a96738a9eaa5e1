import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import type { RequestTrace } from "../../answers/outcome.ts";
import { AnswerInvalidError } from "../../answers/service-errors.ts";
import type { Observer } from "../../observer.ts";
import type { AskingDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import type { Imitators, PooledAnswer, PooledEvidence } from "../ask-pooled.ts";
import type { BatchEntry } from "../batch-entry.ts";
import type { Calibrations } from "../calibration/calibration.ts";
import type { FailedRequests } from "../failures/failed-requests.ts";
import type { UnsupportedChains } from "../failures/unsupported-chains.ts";
import type { OutgoingBatch } from "../outgoing-batch.ts";
import type { PoolingSwitch } from "../pooling-switch.ts";
import type { OpenParts } from "../queue/open-parts.ts";
import type { Queues } from "../queue/queues.ts";
import type { Waiting, WaitingQueue } from "../queue/waiting.ts";
import { Confirmations } from "./confirmations.ts";
import { haveSameFlags } from "./flagged-by.ts";
import { isFlagged } from "./read-answer.ts";
import { type Reading, readingOf } from "./reading.ts";

/** What is told of the answers, and where parts go that are asked again. */
interface Pool {
  readonly open: OpenParts;
  readonly queues: Queues;
  readonly pooling: PoolingSwitch;
  readonly calibrations: Calibrations;
  readonly failures: FailedRequests;
  readonly unsupported: UnsupportedChains;
  enqueue(queue: WaitingQueue, waiting: Waiting): void;
  /** Something waits that waited for an answer. */
  start(): void;
}

type Deps = AskingDeps & { readonly observer: Observer; readonly log: Log };

/** What becomes of the parts of requests that were answered: they have their answers, or are asked again for a better one. */
export class AnsweredRequests {
  readonly #deps: Deps;
  readonly #pool: Pool;
  readonly #confirmations: Confirmations;

  constructor(deps: Deps, pool: Pool) {
    this.#deps = deps;
    this.#pool = pool;
    this.#confirmations = new Confirmations(pool.calibrations, deps.random, deps.log);
  }

  /** One without strangers. */
  alone(cut: OutgoingBatch, answers: ReadonlyMap<BatchEntry, PoisoningEvidence | AppError>): void {
    const { queues, pooling } = this.#pool;
    if (queues.answered(cut)) this.#pool.start();
    const reading = readingOf(cut, this.#deps);
    // That several may share a request, too, was shown by the canaries.
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

  /** One with strangers and canaries. */
  pooled(cut: OutgoingBatch & { readonly kind: "pooled" }, { canaries, evidence, imitators }: PooledAnswer): void {
    const { waiting } = cut;
    const { queues, pooling } = this.#pool;
    // Whether it counts or not, it was not refused.
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

  #flagged(waiting: Waiting, evidence: PoisoningEvidence, imitators: Imitators, { traceOf }: Reading): void {
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
    // What was refused with others travels with those it was set apart with, or alone.
    const isAlone = confirmed.by === "alone" || waiting.half !== undefined || pooling.isOff;
    this.#pool.enqueue(isAlone ? queues.confirming : queues.amongCanaries, waiting);
  }

  /** No user of an event is in such a request, so flags that stand there were raised by no stranger's user. */
  #askedAmongCanaries(waiting: Waiting, found: PooledEvidence | undefined): void {
    const { flagged } = waiting;
    const isAnswer = found !== undefined && found !== "unproved" && !(found instanceof AppError);
    if (flagged === undefined || !isAnswer || !haveSameFlags(flagged.evidence, found)) {
      this.#pool.enqueue(this.#pool.queues.confirming, waiting);
      return;
    }
    this.#heardAgain(waiting, found);
    this.#settle(waiting, flagged.evidence, { ...flagged.trace, requests: waiting.trace.requests });
  }

  #heardAgain(waiting: Waiting, answer: PoisoningEvidence): void {
    const { flagged } = waiting;
    if (flagged === undefined) return;
    waiting.flagged = undefined;
    if (this.#confirmations.confirmed(waiting.part, flagged, answer)) this.#pool.open.forgetAnswers();
  }

  #settle(waiting: Waiting, value: PoisoningEvidence, trace: RequestTrace): void {
    this.#pool.unsupported.answered(waiting.part);
    this.#pool.open.settle(waiting, { ok: true, value, trace });
  }

  /** Gives a part its answer; or another try, when its item was missing. */
  #read(
    waiting: Waiting,
    found: PoisoningEvidence | AppError | undefined,
    { kind, failureOf, traceOf }: Reading,
  ): void {
    const { failures } = this.#pool;
    const answer = found ?? new AnswerInvalidError("the answer lacks the item that was asked");
    if (answer instanceof AppError) failures.retry(waiting, answer, failureOf(answer), kind);
    else this.#settle(waiting, answer, traceOf(waiting.trace));
  }
}
