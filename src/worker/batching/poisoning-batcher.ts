import type { Family } from "../../chains/chain.ts";
import type { Log } from "../../kernel/log.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Lane } from "../../messages/lane.ts";
import type { CacheAges } from "../answers/answer-cache.ts";
import { type Outcome, type OutcomeListener, ofEach, sent } from "../answers/outcome.ts";
import { type PartialGathering, PartialResult, TOO_LATE } from "../answers/partial-result.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import type { CancellableRequester } from "../checks/coalescer.ts";
import type { Observer } from "../observer.ts";
import type { PoisoningQuestion } from "../plan/question.ts";
import type { SecurityService } from "../ports.ts";
import type { RetryDeps } from "../rate-limit/gate/ask-with-retries.ts";
import type { WeightOf } from "../rate-limit/queue/request-queue.ts";
import {
  type BatchWaiter,
  batchedRequester,
  eventLane,
  type Oldest,
  type Requester,
  type RequestLane,
} from "../rate-limit/queue/waiter.ts";
import { askAlone } from "./ask-alone.ts";
import { askPooled } from "./ask-pooled.ts";
import { BatchCutter } from "./batch-cutter.ts";
import { type BatchEntry, canShareRequests, isOnePart, onlyPartOf, partsOf } from "./batch-entry.ts";
import { CalibrationQueue } from "./calibration/calibration-queue.ts";
import { Calibrator } from "./calibration/calibrator.ts";
import { FailedRequests } from "./failures/failed-requests.ts";
import { UnsupportedChains } from "./failures/unsupported-chains.ts";
import { itemsIn, type OutgoingBatch, textsOf } from "./outgoing-batch.ts";
import { PoolingSwitch } from "./pooling-switch.ts";
import { BatchDelay } from "./queue/batch-delay.ts";
import { type EntryQueue, letGo, type QueuedEntry } from "./queue/entry-queue.ts";
import { OpenEntries } from "./queue/open-entries.ts";
import { AnsweredRequests } from "./replies/answered-requests.ts";
import { ConfirmShare } from "./replies/confirm-share.ts";
import { mergeOutcomes } from "./replies/merge-results.ts";

export interface PoolDeps extends RetryDeps {
  readonly service: SecurityService;
  readonly weightOf: WeightOf;
  readonly log: Log;
  readonly cacheBytes: number;
  readonly cacheAges: CacheAges;
  /** As in `ConfirmShare`. */
  readonly confirmShare: number;
  /** Limits of one request: whether it may hold a batch, and its items, at least 3. */
  readonly reach: Pick<ServiceReach, "hasBatches" | "maxItems">;
  readonly observer: Observer;
}

/**
 * Packs the poisoning questions of many events into few requests. A batch entry passes through these states:
 *
 * - waiting, until a request may leave. Only then a batch is taken from all entries that wait (late binding);
 * - sent in a batch with entries of other events. A canary pair for each chain of the batch proves the answer;
 * - confirmed, when the batch flagged it (confirmations.ts). The worker's own rule confirms it, or earlier answers of
 *   the service, or a second request among canaries. Else a request with only its own users decides, and its answer is
 *   final;
 * - sent alone, or with entries of the same users. This happens while its format is not calibrated, while batching is
 *   off, and after it failed in a batch.
 *
 * A '0' from a batch counts under three conditions. No canary of the batch was silent or lost. All canaries of the
 * entry's chain were flagged. No canary was ever silent. A '0' from a request without other users always counts. A '1'
 * counts from a request without other users, or after its confirmation.
 */
export class PoisoningBatcher implements BatchWaiter {
  readonly #deps: PoolDeps;
  readonly #calibrator: Calibrator;
  readonly #open: OpenEntries;
  readonly #queues: BatchCutter;
  readonly #linger: BatchDelay;
  readonly #switch: PoolingSwitch;
  readonly #failures: FailedRequests;
  readonly #answers: AnsweredRequests;
  readonly #calibratedFirst: CalibrationQueue;
  readonly #unsupported: UnsupportedChains;
  #isRunning = false;

  constructor(deps: PoolDeps) {
    this.#deps = deps;
    this.#calibrator = new Calibrator(deps.service, deps, deps.log);
    this.#open = new OpenEntries(deps.cacheBytes, deps.cacheAges, deps.clock);
    const share = new ConfirmShare(deps.confirmShare);
    const { maxItems } = deps.reach;
    const linger = new BatchDelay(deps.clock, deps.signal, maxItems);
    this.#linger = linger;
    const mayLeave = (flagged: EntryQueue) => linger.mayConfirm(flagged, this.#queues.pooled);
    const { weightOf, random, log } = deps;
    this.#queues = new BatchCutter(this.#calibrator.find, weightOf, random, share, log, mayLeave, maxItems);
    this.#switch = new PoolingSwitch(deps.clock, log, () => this.#open.forgetAnswers());
    const back = {
      isOff: () => !this.#mayPool,
      enqueue: (queue: EntryQueue, waiting: QueuedEntry) => this.#enqueue(queue, waiting),
      putBack: (queue: EntryQueue, waiting: QueuedEntry) => this.#putBack(queue, waiting),
      start: () => this.#start(),
    };
    this.#calibratedFirst = new CalibrationQueue(deps.clock, this.#calibrator, this.#open, this.#queues, back);
    this.#unsupported = new UnsupportedChains(deps.clock);
    this.#failures = new FailedRequests(deps, this.#open, this.#queues, back, this.#unsupported);
    this.#answers = new AnsweredRequests(deps, {
      open: this.#open,
      queues: this.#queues,
      pooling: this.#switch,
      calibrations: this.#calibrator.find,
      failures: this.#failures,
      unsupported: this.#unsupported,
      ...back,
    });
  }

  /** Whether batching is off: for good after a silent canary, or for a while. */
  get isOff(): boolean {
    return this.#switch.isOff;
  }

  oldest(lane: Lane): Oldest | undefined {
    return this.#queues.oldest(lane);
  }

  /** Families in which the service flags no artificial lookalike. */
  get blindFamilies(): readonly Family[] {
    return this.#calibrator.blindFamilies;
  }

  /** Events that wait for an entry which is in no request yet. */
  get waiting(): number {
    return this.#queues.asks;
  }

  waits(lane: RequestLane): number {
    return lane === "late" || lane === "overdue" ? 0 : this.#queues.waits(lane);
  }

  /** Whether more questions may arrive soon. If not, the batcher does not linger. */
  expectMore(more: boolean): void {
    this.#linger.expectMore(more);
  }

  /**
   * Asks about one event's target.
   *
   * @throws only for a bug, an abort, or the end of the run.
   */
  ask(
    question: PoisoningQuestion,
    claim: CancellableRequester,
    soFar: PartialGathering<Outcome<PoisoningEvidence>> = new PartialResult(),
  ): Promise<Outcome<PoisoningEvidence>> {
    const asked = partsOf(question, this.#deps.reach.maxItems).map((part) => this.#promised(part, claim));
    const [only] = asked;
    return only !== undefined && asked.length === 1 ? only : soFar.gather(asked, mergeOutcomes, () => TOO_LATE);
  }

  /**
   * As `ask`, for a question in one entry and without a promise, which each event in flight would hold. `told` is
   * called as soon as the answer is known.
   *
   * @returns the argument of `withdraw`. Undefined when there is nothing to withdraw.
   */
  askFor(
    told: OutcomeListener<PoisoningEvidence>,
    question: PoisoningQuestion,
    claim: Requester,
  ): QueuedEntry | undefined {
    if (!isOnePart(question, this.#deps.reach.maxItems))
      throw new Error("a question in several parts is asked by promises");
    return this.#askOnce(onlyPartOf(question), claim, told);
  }

  /** Removes a listener. A request in flight goes on, because its answer serves the next event with the question. */
  withdraw(waiting: QueuedEntry, told: OutcomeListener<PoisoningEvidence>): void {
    letGo(waiting, told);
    if (waiting.queue !== undefined) {
      if (waiting.queue.withdraw(waiting)) this.#open.forget(waiting);
      return;
    }
    waiting.asks--;
    if (waiting.asks > 0) return;
    waiting.isAbandoned = true;
    this.#calibratedFirst.withdraw(waiting);
  }

  get #mayPool(): boolean {
    return !this.isOff && canShareRequests(this.#deps.reach);
  }

  #promised(part: BatchEntry, claim: CancellableRequester): Promise<Outcome<PoisoningEvidence>> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<PoisoningEvidence>>();
    let isTold = false;
    const told = <T>(tell: (value: T) => void) => {
      return (value: T) => {
        isTold = true;
        tell(value);
      };
    };
    const asker = { answered: told(resolve), failed: told(reject) };
    const asked = this.#askOnce(part, claim, asker);
    if (asked !== undefined) {
      claim.leaving?.onLeave(() => {
        if (!isTold) this.withdraw(asked, asker);
      });
    }
    return promise;
  }

  /** Equal questions that are open at one time become one entry. */
  #askOnce(part: BatchEntry, asker: Requester, told: OutcomeListener<PoisoningEvidence>): QueuedEntry | undefined {
    const claim = batchedRequester(asker, this.#mayPool);
    const known = this.#open.find(part);
    const answer = (known && this.#open.answered(known, claim)) ?? this.#unsupported.answerTo(part);
    if (answer !== undefined) {
      this.#deps.observer.reused("poisoning");
      told.answered(answer);
      return undefined;
    }
    const joined = known && this.#open.join(known, claim, told);
    if (joined !== undefined) {
      this.#calibratedFirst.joined(joined);
      this.#linger.look();
      this.#deps.gate.look();
      return joined;
    }
    const opened = this.#open.open(part, known, claim, told);
    this.#admit(opened);
    return opened;
  }

  #admit(waiting: QueuedEntry): void {
    const isOff = !this.#mayPool;
    if (!isOff) this.#queues.allowPooling();
    const isRefused = this.#open.wasRefused(waiting) || this.#unsupported.spoils(waiting.part);
    const mayPool = !isOff && !isRefused && this.#calibrator.mayPool(waiting.part);
    if (mayPool === true) this.#enqueue(this.#queues.pooled, waiting);
    else if (mayPool === false) this.#enqueue(this.#queues.alone, waiting);
    else this.#calibratedFirst.hold(waiting, mayPool);
  }

  #enqueue(queue: EntryQueue, waiting: QueuedEntry): void {
    if (this.#forgets(waiting)) return;
    waiting.since = this.#deps.clock.ticks();
    queue.push(waiting);
    this.#cameToWait();
  }

  #putBack(queue: EntryQueue, waiting: QueuedEntry): void {
    if (this.#forgets(waiting)) return;
    queue.putBack(waiting);
    this.#cameToWait();
  }

  /** Whether no event needs the entry any more. */
  #forgets(waiting: QueuedEntry): boolean {
    if (waiting.asks > 0) return false;
    this.#open.forget(waiting);
    return true;
  }

  #cameToWait(): void {
    this.#linger.look();
    this.#start();
  }

  #start(): void {
    if (this.#isRunning) {
      this.#deps.gate.look();
      return;
    }
    this.#isRunning = true;
    this.#run().catch((thrown: unknown) => {
      for (const waiting of this.#queues.drain()) this.#open.abandon(waiting, thrown);
    });
  }

  /** Requests one permit at a time, as long as entries wait. */
  async #run(): Promise<void> {
    const queues = this.#queues;
    try {
      for (;;) {
        // Questions that arrive in the same microtask may share the request.
        await Promise.resolve();
        if (queues.isEmpty) return;
        if (!queues.isUrgent) await this.#linger.until(queues.pooled, () => queues.isUrgent, queues.flagged);
        await this.#oneRequest();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Resolves when a request has left. The answer is awaited elsewhere. */
  #oneRequest(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { gate, clock } = this.#deps;
    const askedAt = clock.ticks();
    let cut: OutgoingBatch | undefined;
    const ending = gate.run((lane) => {
      this.#linger.slotTook(clock.ticks() - askedAt);
      cut = this.#calibratedFirst.cut(eventLane(lane));
      resolve();
      if (cut === undefined) return undefined;
      const traceOf = ofEach(sent, clock.now());
      let waitedSince = Number.POSITIVE_INFINITY;
      for (const waiting of cut.waiting) {
        if (waiting.since < waitedSince) waitedSince = waiting.since;
        waiting.trace = traceOf(waiting.trace);
      }
      this.#deps.observer.batch(cut.kind, itemsIn(cut), clock.ticks() - waitedSince);
      return { events: textsOf(cut), answer: this.#send(cut) };
    }, this);
    ending.catch((thrown: unknown) => {
      if (cut === undefined) reject(thrown);
      else this.#failures.take(cut, thrown);
    });
    return promise;
  }

  async #send(cut: OutgoingBatch): Promise<void> {
    const { service, signal } = this.#deps;
    if (cut.kind === "pooled") this.#answers.pooled(cut, await askPooled(cut.batch, service, signal));
    else this.#answers.alone(cut, await askAlone(cut.group, service, signal));
  }
}
