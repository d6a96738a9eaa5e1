import type { PoisoningEvidence } from "../../events/evidence.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Observer } from "../observer.ts";
import type { AskingDeps } from "../pace/ask-with-retries.ts";
import { AnswerInvalidError } from "../service-errors.ts";
import type { PooledAnswer } from "./ask-pooled.ts";
import type { Cut } from "./cut.ts";
import type { FailedRequests } from "./failed-requests.ts";
import type { OpenParts } from "./open-parts.ts";
import type { Part } from "./part.ts";
import type { PoolingSwitch } from "./pooling-switch.ts";
import type { Queues } from "./queues.ts";
import { isFlagged } from "./read-answer.ts";
import { type Reading, readingOf } from "./reading.ts";
import type { UnsupportedChains } from "./unsupported-chains.ts";
import type { Waiting, WaitingQueue } from "./waiting.ts";

/** What is told of the answers, and where parts go that are asked again. */
interface Pool {
  readonly open: OpenParts;
  readonly queues: Queues;
  readonly pooling: PoolingSwitch;
  readonly failures: FailedRequests;
  readonly unsupported: UnsupportedChains;
  enqueue(queue: WaitingQueue, waiting: Waiting): void;
  /** Something waits that waited for an answer. */
  start(): void;
}

/** What becomes of the parts of requests that were answered: they have their answers, or are asked again for a better one. */
export class AnsweredRequests {
  readonly #deps: AskingDeps & { readonly observer: Observer };
  readonly #pool: Pool;

  constructor(deps: AskingDeps & { readonly observer: Observer }, pool: Pool) {
    this.#deps = deps;
    this.#pool = pool;
  }

  /** One without strangers. */
  alone(cut: Cut, answers: ReadonlyMap<Part, PoisoningEvidence | AppError>): void {
    const { queues, pooling } = this.#pool;
    if (queues.answered(cut)) this.#pool.start();
    const reading = readingOf(cut, this.#deps);
    // That several may share a request, too, was shown by the canaries.
    const isDoubtful = cut.waiting.length > 1 && pooling.isOffForGood;
    for (const waiting of cut.waiting) {
      const found = answers.get(waiting.part);
      const isClear = found !== undefined && !(found instanceof AppError) && !isFlagged(found);
      if (isDoubtful && isClear) this.#pool.enqueue(queues.alone, waiting);
      else this.#read(waiting, found, reading);
    }
  }

  /** One with strangers and canaries. */
  pooled(cut: Cut, { canaries, evidence }: PooledAnswer): void {
    const { waiting } = cut;
    const { queues, pooling } = this.#pool;
    // Whether it counts or not, it was not refused.
    if (queues.answered(cut)) this.#pool.start();
    this.#deps.observer.canaries(canaries);
    const counts = pooling.heard(canaries);
    if (pooling.isOff) queues.stopPooling();
    if (!counts) {
      for (const each of waiting) this.#pool.enqueue(queues.alone, each);
      return;
    }
    const reading = readingOf(cut, this.#deps);
    waiting.forEach((each, i) => {
      const found = evidence[i];
      const isAnswer = found !== undefined && found !== "unproved" && !(found instanceof AppError);
      if (found === "unproved") this.#pool.enqueue(queues.alone, each);
      else if (isAnswer && isFlagged(found)) {
        this.#deps.observer.confirming();
        this.#pool.enqueue(queues.confirming, each);
      } else this.#read(each, found, reading);
    });
  }

  /** Gives a part its answer; or another try, when its item was missing. */
  #read(
    waiting: Waiting,
    found: PoisoningEvidence | AppError | undefined,
    { kind, failureOf, traceOf }: Reading,
  ): void {
    const { failures, unsupported, open } = this.#pool;
    const answer = found ?? new AnswerInvalidError("the answer lacks the item that was asked");
    if (answer instanceof AppError) failures.retry(waiting, answer, failureOf(answer), kind);
    else {
      unsupported.answered(waiting.part);
      open.settle(waiting, { ok: true, value: answer, trace: traceOf(waiting.trace) });
    }
  }
}
