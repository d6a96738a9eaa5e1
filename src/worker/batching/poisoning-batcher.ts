import type { Family } from "../../chains/chain.ts";
import type { Log } from "../../kernel/log.ts";
import type { PoisoningEvidence } from "../../messages/evidence.ts";
import type { Lane } from "../../messages/lane.ts";
import type { CacheAges } from "../answers/answer-cache.ts";
import { type Outcome, type OutcomeListener, ofEach, sent } from "../answers/outcome.ts";
import { type Gathering, LATE, PartialResult } from "../answers/partial-result.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import type { CancellableRequester } from "../checks/coalescer.ts";
import type { Observer } from "../observer.ts";
import type { PoisoningQuestion } from "../plan/question.ts";
import type { SecurityService } from "../ports.ts";
import type { AskingDeps } from "../rate-limit/gate/ask-with-retries.ts";
import type { WeightOf } from "../rate-limit/queue/request-queue.ts";
import {
  type BatchWaiter,
  eventLane,
  type Oldest,
  pooledClaim,
  type Requester,
  type RequestLane,
} from "../rate-limit/queue/waiter.ts";
import { askAlone } from "./ask-alone.ts";
import { askPooled } from "./ask-pooled.ts";
import { type BatchEntry, canShareRequests, isOnePart, onlyPartOf, partsOf } from "./batch-entry.ts";
import { CalibratedFirst } from "./calibration/calibration-queue.ts";
import { Calibrator } from "./calibration/calibrator.ts";
import { FailedRequests } from "./failures/failed-requests.ts";
import { UnsupportedChains } from "./failures/unsupported-chains.ts";
import { itemsIn, type OutgoingBatch, textsOf } from "./outgoing-batch.ts";
import { PoolingSwitch } from "./pooling-switch.ts";
import { Linger } from "./queue/linger.ts";
import { OpenParts } from "./queue/open-parts.ts";
import { Queues } from "./queue/queues.ts";
import { letGo, type Waiting, type WaitingQueue } from "./queue/waiting.ts";
import { AnsweredRequests } from "./replies/answered-requests.ts";
import { ConfirmShare } from "./replies/confirm-share.ts";
import { uniteOutcomes } from "./replies/merge-results.ts";

export interface PoolDeps extends AskingDeps {
  readonly service: SecurityService;
  readonly weightOf: WeightOf;
  readonly log: Log;
  readonly cacheBytes: number;
  readonly cacheAges: CacheAges;
  /** As in `ConfirmShare`. */
  readonly confirmShare: number;
  /** How much one request may hold, at least 3 items. */
  readonly reach: Pick<ServiceReach, "hasBatches" | "maxItems">;
  readonly observer: Observer;
}

/**
 * Packs the poisoning questions of many events into few requests. A part is, in turn:
 *
 * - waiting, until a request may leave; only then is a batch cut from all that waits and may share it (late binding);
 * - asked in a batch with strangers, which a canary pair for each of its chains proves;
 * - confirmed, when it was flagged there (confirmations.ts): by our own rule, by what the service said before, among
 *   canaries, or else by asking it again without strangers, and that answer is final;
 * - asked alone instead (with others of the very same users), while its format is not calibrated, when pooling is off,
 *   or when it failed in company.
 *
 * A '0' counts from a batch none of whose canaries was silent or lost, on a chain whose own were all flagged, and as long
 * as no canary was ever silent; or from a request without strangers. A '1' counts from there, or once it is confirmed.
 */
export class PoisoningBatcher implements BatchWaiter {
  readonly #deps: PoolDeps;
  readonly #calibrator: Calibrator;
  readonly #open: OpenParts;
  readonly #queues: Queues;
  readonly #linger: Linger;
  readonly #switch: PoolingSwitch;
  readonly #failures: FailedRequests;
  readonly #answers: AnsweredRequests;
  readonly #calibratedFirst: CalibratedFirst;
  readonly #unsupported: UnsupportedChains;
  #isRunning = false;

  constructor(deps: PoolDeps) {
    this.#deps = deps;
    this.#calibrator = new Calibrator(deps.service, deps, deps.log);
    this.#open = new OpenParts(deps.cacheBytes, deps.cacheAges, deps.clock);
    const share = new ConfirmShare(deps.confirmShare);
    const { maxItems } = deps.reach;
    const linger = new Linger(deps.clock, deps.signal, maxItems);
    this.#linger = linger;
    const mayLeave = (flagged: WaitingQueue) => linger.mayConfirm(flagged, this.#queues.pooled);
    const { weightOf, random, log } = deps;
    this.#queues = new Queues(this.#calibrator.find, weightOf, random, share, log, mayLeave, maxItems);
    this.#switch = new PoolingSwitch(deps.clock, log, () => this.#open.forgetAnswers());
    const back = {
      isOff: () => !this.#mayPool,
      enqueue: (queue: WaitingQueue, waiting: Waiting) => this.#enqueue(queue, waiting),
      putBack: (queue: WaitingQueue, waiting: Waiting) => this.#putBack(queue, waiting),
      start: () => this.#start(),
    };
    this.#calibratedFirst = new CalibratedFirst(deps.clock, this.#calibrator, this.#open, this.#queues, back);
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

  /** Whether nothing is pooled: for good, because a canary fell silent, or for a while. */
  get isOff(): boolean {
    return this.#switch.isOff;
  }

  oldest(lane: Lane): Oldest | undefined {
    return this.#queues.oldest(lane);
  }

  /** Families of which the service flags no lookalike that was made to try it. */
  get blindFamilies(): readonly Family[] {
    return this.#calibrator.blindFamilies;
  }

  /** Askers whose question is in no request yet. */
  get waiting(): number {
    return this.#queues.asks;
  }

  waits(lane: RequestLane): number {
    return lane === "late" || lane === "overdue" ? 0 : this.#queues.waits(lane);
  }

  /** Whether more questions may come soon. When not, there is nothing to linger for. */
  expectMore(more: boolean): void {
    this.#linger.expectMore(more);
  }

  /** Asks about one event's target. @throws only a bug, an abort, or the end of the run. */
  ask(
    question: PoisoningQuestion,
    claim: CancellableRequester,
    soFar: Gathering<Outcome<PoisoningEvidence>> = new PartialResult(),
  ): Promise<Outcome<PoisoningEvidence>> {
    const asked = partsOf(question, this.#deps.reach.maxItems).map((part) => this.#promised(part, claim));
    const [only] = asked;
    return only !== undefined && asked.length === 1 ? only : soFar.gather(asked, uniteOutcomes, () => LATE);
  }

  /**
   * The same of a question in one part, without a promise, which each event in flight would hold. `told` hears of it at
   * once when it is known.
   *
   * @returns what `withdraw` takes; undefined when there is nothing to be withdrawn.
   */
  askFor(told: OutcomeListener<PoisoningEvidence>, question: PoisoningQuestion, claim: Requester): Waiting | undefined {
    if (!isOnePart(question, this.#deps.reach.maxItems))
      throw new Error("a question in several parts is asked by promises");
    return this.#askOnce(onlyPartOf(question), claim, told);
  }

  /** `told` waits no longer. What is on its way goes on: its answer is good for the next event that asks. */
  withdraw(waiting: Waiting, told: OutcomeListener<PoisoningEvidence>): void {
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

  /** The same question at once is one question. */
  #askOnce(part: BatchEntry, asker: Requester, told: OutcomeListener<PoisoningEvidence>): Waiting | undefined {
    const claim = pooledClaim(asker);
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

  #admit(waiting: Waiting): void {
    const isOff = !this.#mayPool;
    if (!isOff) this.#queues.allowPooling();
    const isRefused = this.#open.wasRefused(waiting) || this.#unsupported.spoils(waiting.part);
    const mayPool = !isOff && !isRefused && this.#calibrator.mayPool(waiting.part);
    if (mayPool === true) this.#enqueue(this.#queues.pooled, waiting);
    else if (mayPool === false) this.#enqueue(this.#queues.alone, waiting);
    else this.#calibratedFirst.hold(waiting, mayPool);
  }

  #enqueue(queue: WaitingQueue, waiting: Waiting): void {
    if (this.#forgets(waiting)) return;
    waiting.since = this.#deps.clock.ticks();
    queue.push(waiting);
    this.#cameToWait();
  }

  #putBack(queue: WaitingQueue, waiting: Waiting): void {
    if (this.#forgets(waiting)) return;
    queue.putBack(waiting);
    this.#cameToWait();
  }

  /** Whether nobody asks for it any more. */
  #forgets(waiting: Waiting): boolean {
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

  /** Asks for one slot at a time, as long as anything waits. */
  async #run(): Promise<void> {
    const queues = this.#queues;
    try {
      for (;;) {
        // What is asked in the same turn may share the request.
        await Promise.resolve();
        if (queues.isEmpty) return;
        if (!queues.isUrgent) await this.#linger.until(queues.pooled, () => queues.isUrgent, queues.flagged);
        await this.#oneRequest();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  /** Resolves when a request has left; its answer is awaited elsewhere. */
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
