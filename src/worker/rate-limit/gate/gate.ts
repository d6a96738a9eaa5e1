import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";
import { KeyReplacedError, RefusedAgainError, UnauthorizedError } from "../../answers/service-errors.ts";
import type { Slots } from "../../ports.ts";
import { Alarm } from "../breaker/alarm.ts";
import type { BreakerAdmission } from "../breaker/circuit-breaker.ts";
import type { Outage } from "../breaker/outage.ts";
import { type RepeatedRequest, RetryQueue } from "../breaker/retry-queue.ts";
import type { Pacer } from "../learner/pacer.ts";
import type { Flight } from "../learner/sending-order.ts";
import { ConnectionReserve } from "../queue/connection-reserve.ts";
import { keepPosition } from "../queue/position.ts";
import { RequestQueue, type WeightOf } from "../queue/request-queue.ts";
import {
  type BatchWaiter,
  eventLane,
  isBatchWaiter,
  type LaterLane,
  type Requester,
  type RequestLane,
  type Waiter,
} from "../queue/waiter.ts";
import type { Headroom } from "../sharing/headroom.ts";
import { AdmissionCheck } from "./admission-check.ts";
import { AnswerTime } from "./answer-time.ts";
import { LearnedPace } from "./learned-pace.ts";
import { PendingPermits } from "./pending-permits.ts";
import { LoadRefusals } from "./refusals/load-refusals.ts";
import { ResponseTracker } from "./response-tracker.ts";
import { WithdrawnError } from "./withdrawn-error.ts";

export interface GateDeps {
  readonly slots: Slots;
  /** Learns the key's quota and sets the pace of `slots`. Undefined: the pace stays as it is. */
  readonly pacer: Pacer | undefined;
  /** Observes the answers where a quota is configured. */
  readonly headroom: Headroom | undefined;
  /** Requests that `slots` lets be in flight at once. */
  readonly concurrency: number;
  readonly weightOf: WeightOf;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Called with the HTTP status of each refusal for load: 429, 503, 403, or 200 where an envelope refuses. */
  readonly onLoadRefused: (status: number) => void;
  /** Reads the API key again. @returns whether the key has changed. */
  readonly reloadKey: () => Promise<boolean>;
  /**
   * Sends a health probe: a question that any working service answers. Undefined: the queued requests themselves are
   * such questions, and serve as probes.
   */
  readonly knock: ((signal: AbortSignal) => Promise<unknown>) | undefined;
  /**
   * How long the service may be down before all waiting requests fail, in milliseconds. Infinity: requests keep
   * waiting.
   */
  readonly patienceMs: number;
  /** Longest wait on request of the service that realtime events keep to, in milliseconds. */
  readonly maxWaitMs: number;
  /** Whether a refused key is final, because nothing outside this process can replace the key. */
  readonly keyIsFixed: boolean;
}

/** A request that was sent, and its events. `events` is iterated more than once. */
export interface SentRequest<T> {
  readonly events: Iterable<string>;
  readonly answer: Promise<T>;
}

/**
 * The only way to the service. A request passes when there is no pause, the circuit breaker allows it, and a permit
 * comes. The caller decides only then what to send. A 429 pauses all requests on the key. The circuit breaker stops all
 * requests while the key is refused or the service is down.
 */
export class Gate {
  readonly #deps: GateDeps;
  readonly #heard: ResponseTracker;
  readonly #line: RequestQueue;
  readonly #room: ConnectionReserve;
  readonly #learned: LearnedPace | undefined;
  readonly #barrier: AdmissionCheck;
  readonly #abandoned = new AbortController();
  readonly #awaited: PendingPermits;
  readonly #alarm: Alarm;
  readonly #retries: RetryQueue;
  readonly #loads: LoadRefusals;
  readonly #answerTime = new AnswerTime();
  #goesOn = false;

  constructor(deps: GateDeps) {
    this.#deps = deps;
    this.#awaited = new PendingPermits(
      deps.slots,
      () => this.#use(),
      (reason) => this.#line.any()?.seat.fail(reason),
    );
    this.#alarm = new Alarm(deps.clock, this.#abandoned.signal, () => this.#goOn());
    this.#line = new RequestQueue(deps.weightOf);
    this.#room = new ConnectionReserve(deps.concurrency);
    const { pacer } = deps;
    const isAnyoneNext = () => this.#line.size > 0;
    const isDepositNext = () => this.#line.waits("realtime") > 0;
    this.#retries = new RetryQueue({ ...deps, signal: this.#abandoned.signal, isAnyoneNext });
    this.#loads = new LoadRefusals(deps.random);
    this.#heard = new ResponseTracker({ ...deps, retries: this.#retries, isPaced: pacer !== undefined });
    this.#learned = pacer && new LearnedPace({ ...deps, pacer });
    this.#barrier = new AdmissionCheck(this.#heard, this.#learned, { ...deps, isDepositNext });
  }

  get silence(): Outage {
    return this.#heard.silence;
  }

  /** Why no request passes, for operators. Undefined while requests pass. */
  get closed(): "unauthorized" | "failing" | "rate limited" | undefined {
    return this.#barrier.closed;
  }

  /**
   * Makes one request. `send` is called only when the request may leave, and decides then what to send.
   *
   * @param asker the waiter that the permit is for. A waiter has one request at a time.
   * @returns the answer; undefined when `send` had nothing left to send.
   * @throws the error of the answer. KeyReplacedError when the request's key was refused and another key is in use by
   *   then. ServiceDownError when the service was down for longer than this process waits. The reason of `abandon`.
   */
  async run<T>(
    send: (lane: RequestLane) => SentRequest<T> | undefined,
    asker: Waiter | BatchWaiter,
  ): Promise<T | undefined> {
    this.#abandoned.signal.throwIfAborted();
    if (!isBatchWaiter(asker) && asker.isAbandoned === true) throw new WithdrawnError();
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const begin = (lane: RequestLane, passage: BreakerAdmission) =>
      this.#observed(passage, lane, () => send(lane)).then(resolve, reject);
    // A question that was refused may be asked again. Its age counts from the first time.
    if (!isBatchWaiter(asker)) asker.since ??= this.#deps.clock.ticks();
    this.#line.add({ asker, begin, fail: reject });
    this.#goOnSoon();
    try {
      const answer = await promise;
      keepPosition(asker, undefined);
      return answer;
    } catch (thrown) {
      if (thrown instanceof RefusedAgainError) await this.#heard.waitApart(thrown, this.#abandoned.signal);
      keepPosition(asker, thrown);
      throw thrown;
    }
  }

  /**
   * Whether a request waits for its first attempt or for a retry, or was refused recently without having failed. The
   * request may belong to any event in flight, and its wait has no known end.
   */
  get isQueued(): boolean {
    return this.#line.size + this.#retries.size > 0 || this.#heard.hasRefused;
  }

  /** Rejects all waiting requests, and all later ones, with `reason`. Requests that were sent are not affected. */
  abandon(reason: unknown): void {
    this.#abandoned.abort(reason);
    this.#failAll(reason);
  }

  /**
   * Sends nothing until the hold is released, because there is no room for the answers. Time on hold does not count as
   * an outage of the service.
   */
  hold(isHeld: boolean): void {
    this.#barrier.hold(isHeld);
    if (!isHeld) this.#goOnSoon();
  }

  get isHeld(): boolean {
    return this.#barrier.isHeld;
  }

  /** Number of requests that were answered. While the number grows, the key is valid. */
  get answers(): number {
    return this.#heard.answers;
  }

  /** When the service answered last, milliseconds of the clock's ticks; -Infinity before it did. */
  get answeredAt(): number {
    return this.#heard.answeredAt;
  }

  /** Keys that were taken up in place of another. */
  get keys(): number {
    return this.#heard.keys;
  }

  /**
   * When the latest of the answered requests was sent, in milliseconds of the clock's ticks. The key was valid then.
   */
  get keyGoodAt(): number {
    return this.#heard.keyGoodAt;
  }

  /** Whether the service, and not the question, is at fault. The failure then costs the question no attempt. */
  isFree(error: AppError): boolean {
    return this.#heard.isFree(error);
  }

  /** @returns whether the retry budget allows an immediate retry after `error`. */
  mayRetry(error: AppError): boolean {
    return this.#retries.spend(error);
  }

  /** Resolves when the retry budget allows a retry after `error`. @throws the reason of `abandon`. */
  afforded(error: AppError, of: RepeatedRequest): Promise<void> {
    return this.#retries.wait(error, of);
  }

  /** Adds a requester to the waiter `turn`. */
  join(turn: Waiter, claim: Requester): void {
    this.#line.join(turn, claim);
    this.look();
  }

  /**
   * Withdraws a waiter that no event needs any more.
   *
   * @returns whether the request left the queue; false when the request is in flight.
   */
  withdraw(turn: Waiter): boolean {
    const seat = this.#line.withdraw(turn);
    seat?.fail(new WithdrawnError());
    return seat !== undefined;
  }

  /** No event waits by a deadline for what `turn` asks for. */
  demote(turn: Waiter, to: LaterLane): void {
    this.#line.demote(turn, to);
  }

  /** Checks for permits again: a waiter gained another lane or tenant, and may be sent sooner for it. */
  look(): void {
    // This runs for each event. Reading the clock takes as long as the rest of this method.
    const hasRoom = !this.#room.isKept || this.#room.backfillsLeft(this.#deps.clock.ticks()) >= this.#line.size;
    if (!hasRoom || this.#learned?.isUsedUp === true) this.#goOnSoon();
  }

  get #answeredAt(): number {
    return this.#deps.clock.ticks() + this.#answerTime.ms;
  }

  /** Continues in the next microtask, so that questions of the same moment can share a request. */
  #goOnSoon(): void {
    if (this.#goesOn) return;
    this.#goesOn = true;
    void Promise.resolve().then(() => {
      this.#goesOn = false;
      this.#goOn();
    });
  }

  /** Requests a permit for each queued request. During a pause, sets the alarm for the end of the pause. */
  #goOn(): void {
    const down = this.#barrier.lostPatience(this.#deps);
    if (down !== undefined) this.#failAll(down);
    this.#retries.look();
    while (this.#line.size > 0) {
      const wait = this.#barrier.waitMs;
      if (wait > 0) {
        if (Number.isFinite(wait)) this.#alarm.set(this.#deps.clock.ticks() + wait);
        return;
      }
      if (this.#awaited.count >= this.#room.slotsFor(this.#line, this.#deps.clock.ticks())) return;
      this.#awaited.ask();
    }
  }

  /** Uses a permit. During a pause the permit is dropped, and the queued requests keep their positions. */
  async #use(): Promise<void> {
    const passage = this.#line.size > 0 ? this.#barrier.pass() : undefined;
    if (passage === undefined) {
      this.#goOn();
      return;
    }
    const { knock } = this.#deps;
    if (passage.isKnock && knock !== undefined) {
      await this.#knock(passage, knock);
      return;
    }
    const mayBackfill = !this.#barrier.holdsBackfill && this.#room.backfillsLeft(this.#deps.clock.ticks()) > 0;
    const next =
      this.#heard.breaker.open === undefined ? this.#line.next(mayBackfill, this.#answeredAt) : this.#line.probe();
    const ended = next?.seat.begin(next.lane, passage);
    // A permit that one lane may not use may serve the other lane.
    this.#goOnSoon();
    await ended;
  }

  /** Sends a health probe. Its outcome says something about the service only, and ends no waiter's request. */
  async #knock(passage: BreakerAdmission, knock: NonNullable<GateDeps["knock"]>): Promise<void> {
    try {
      await this.#observed(passage, undefined, () => ({ events: [], answer: knock(this.#abandoned.signal) }));
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
    }
  }

  #failAll(reason: unknown): void {
    for (let next = this.#line.any(); next !== undefined; next = this.#line.any()) next.seat.fail(reason);
  }

  /** @param requestLane undefined for a health probe, for which no event waits. */
  async #observed<T>(
    passage: BreakerAdmission,
    requestLane: RequestLane | undefined,
    send: () => SentRequest<T> | undefined,
  ): Promise<T | undefined> {
    let sent: SentRequest<T> | undefined;
    let flight: Flight | undefined;
    const { keys } = this;
    const lane = requestLane && eventLane(requestLane);
    const sentAt = this.#deps.clock.ticks();
    try {
      sent = send();
      if (sent === undefined) {
        this.#heard.breaker.undecided(passage);
        return undefined;
      }
      this.#retries.sent();
      flight = this.#learned?.sent(lane);
      if (lane !== undefined) this.#room.sent(lane, this.#deps.clock.ticks());
      const answer = await sent.answer;
      this.#ended(flight, undefined);
      this.#answerTime.took(this.#deps.clock.ticks() - sentAt);
      this.#heard.answered(passage);
      this.#loads.answered(sent.events);
      return answer;
    } catch (caught) {
      const thrown = this.#loads.judge(caught, sent?.events ?? [], this.answers);
      this.#ended(flight, thrown);
      await this.#heard.failed(thrown, passage, sent?.events ?? []);
      const isOldKey = thrown instanceof UnauthorizedError && keys !== this.keys;
      throw isOldKey ? new KeyReplacedError(thrown.message, {}, { cause: thrown }) : thrown;
    } finally {
      if (sent !== undefined && lane !== undefined) this.#room.ended(lane);
      if (sent !== undefined) this.#retries.ended();
      this.#goOnSoon();
    }
  }

  #ended(flight: Flight | undefined, thrown: unknown): void {
    if (flight !== undefined) this.#learned?.ended(flight, thrown, this.#heard.breaker.open !== undefined);
  }
}
