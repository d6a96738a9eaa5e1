import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/random.ts";
import { KeyReplacedError, RefusedAgainError, UnauthorizedError } from "../../answers/service-errors.ts";
import type { Slots } from "../../ports.ts";
import { Alarm } from "../breaker/alarm.ts";
import type { Passage } from "../breaker/breaker.ts";
import type { Silence } from "../breaker/outage.ts";
import { type Repeated, RetryQueue } from "../breaker/retry-queue.ts";
import type { Pacer } from "../learner/pacer.ts";
import type { Flight } from "../learner/sending-order.ts";
import { keepPosition } from "../queue/position.ts";
import { RealtimeReserve } from "../queue/realtime-reserve.ts";
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
  /** Finds out what the key bears, and sets the pace of `slots`; undefined: that stays as it is. */
  readonly pacer: Pacer | undefined;
  /** Told of the answers, where a quota is given. */
  readonly headroom: Headroom | undefined;
  /** Requests that `slots` lets be on the wire at once. */
  readonly concurrency: number;
  readonly weightOf: WeightOf;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Told the HTTP status of each refusal for load: 429, 503, 403, or 200 where an envelope says so. */
  readonly onLoadRefused: (status: number) => void;
  /** Reads the key anew. @returns whether it is another one now. */
  readonly reloadKey: () => Promise<boolean>;
  /** Asks the service what it answers whenever it is up, to find that out; undefined: that is what everybody asks. */
  readonly knock: ((signal: AbortSignal) => Promise<unknown>) | undefined;
  /** How long the service may be down before whoever waits is told so, milliseconds; Infinity: they wait. */
  readonly patienceMs: number;
  /** For how long realtime events keep to a wait that the service asks for, milliseconds. */
  readonly maxWaitMs: number;
  /** Whether a refused key is the end: nothing but this process could change it. */
  readonly keyIsFixed: boolean;
}

/** A request on its way, and the events that it is about, which are gone through more than once. */
export interface SentRequest<T> {
  readonly events: Iterable<string>;
  readonly answer: Promise<T>;
}

/**
 * The one way to the service. A request passes when nothing is paused, the breaker lets it, and its slot has come; what
 * to send is decided then. A 429 pauses everything on the key; the breaker stops everything while the key is
 * refused or the service is down.
 */
export class Gate {
  readonly #deps: GateDeps;
  readonly #heard: ResponseTracker;
  readonly #line: RequestQueue;
  readonly #room: RealtimeReserve;
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
    this.#room = new RealtimeReserve(deps.concurrency);
    const { pacer } = deps;
    const isAnyoneNext = () => this.#line.size > 0;
    const isDepositNext = () => this.#line.waits("realtime") > 0;
    this.#retries = new RetryQueue({ ...deps, signal: this.#abandoned.signal, isAnyoneNext });
    this.#loads = new LoadRefusals(deps.random);
    this.#heard = new ResponseTracker({ ...deps, retries: this.#retries, isPaced: pacer !== undefined });
    this.#learned = pacer && new LearnedPace({ ...deps, pacer });
    this.#barrier = new AdmissionCheck(this.#heard, this.#learned, { ...deps, isDepositNext });
  }

  get silence(): Silence {
    return this.#heard.silence;
  }

  /** Why nothing passes, for operators; undefined while it does. */
  get closed(): "unauthorized" | "failing" | "rate limited" | undefined {
    return this.#barrier.closed;
  }

  /**
   * Makes one request. `send` is called when it may leave, not before: what to send is decided there.
   *
   * @param asker whose slot it is to be; one request at a time for each.
   * @returns the answer; undefined when `send` had nothing left to send.
   * @throws what the answer rejects with; KeyReplacedError when its key was refused, and another is in use by then; ServiceDownError when the service was down for longer than this process
   * waits; the reason of `abandon`.
   */
  async run<T>(
    send: (lane: RequestLane) => SentRequest<T> | undefined,
    asker: Waiter | BatchWaiter,
  ): Promise<T | undefined> {
    this.#abandoned.signal.throwIfAborted();
    if (!isBatchWaiter(asker) && asker.isAbandoned === true) throw new WithdrawnError();
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const begin = (lane: RequestLane, passage: Passage) =>
      this.#observed(passage, lane, () => send(lane)).then(resolve, reject);
    // An event's question may be asked again, after a refusal: it is as old as before.
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
   * Whether somebody waits to send, for the first time or again, or was refused not long ago without having failed: what waits may be any event that is
   * in work, and nobody knows for how long it will.
   */
  get isQueued(): boolean {
    return this.#line.size + this.#retries.size > 0 || this.#heard.hasRefused;
  }

  /** Rejects all that waits, and whatever comes later, with `reason`. What was sent is not touched. */
  abandon(reason: unknown): void {
    this.#abandoned.abort(reason);
    this.#failAll(reason);
  }

  /**
   * Sends nothing until it is told to go on: there is no room for what would be answered. Nobody loses patience meanwhile
   * with a service that nobody may ask.
   */
  hold(isHeld: boolean): void {
    this.#barrier.hold(isHeld);
    if (!isHeld) this.#goOnSoon();
  }

  get isHeld(): boolean {
    return this.#barrier.isHeld;
  }

  /** Requests that were answered: while it grows, the key is good. */
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

  /** When the last of the requests left that were answered, milliseconds of the clock's ticks: the key was good then. */
  get keyGoodAt(): number {
    return this.#heard.keyGoodAt;
  }

  /** Whether the failure was of the service and not of the question: then it costs the question no attempt. */
  isFree(error: AppError): boolean {
    return this.#heard.isFree(error);
  }

  /** @returns whether the process can afford to repeat what failed so, at once. */
  mayRetry(error: AppError): boolean {
    return this.#retries.spend(error);
  }

  /** Resolves when the process can afford to repeat what failed so. @throws the reason of `abandon`. */
  afforded(error: AppError, of: Repeated): Promise<void> {
    return this.#retries.wait(error, of);
  }

  /** One more wants what `turn` asks for. */
  join(turn: Waiter, claim: Requester): void {
    this.#line.join(turn, claim);
    this.look();
  }

  /** Nothing waits any more for what `turn` asks for. @returns whether it left; not when its request is on its way. */
  withdraw(turn: Waiter): boolean {
    const seat = this.#line.withdraw(turn);
    seat?.fail(new WithdrawnError());
    return seat !== undefined;
  }

  /** No event waits by a deadline for what `turn` asks for. */
  demote(turn: Waiter, to: LaterLane): void {
    this.#line.demote(turn, to);
  }

  /** One who waits does so for somebody else, too, who may leave perhaps where, or when, it may not. */
  look(): void {
    // For each event; to read the clock takes as long as all else here.
    const hasRoom = !this.#room.isKept || this.#room.backfillsLeft(this.#deps.clock.ticks()) >= this.#line.size;
    if (!hasRoom || this.#learned?.isUsedUp === true) this.#goOnSoon();
  }

  get #answeredAt(): number {
    return this.#deps.clock.ticks() + this.#answerTime.ms;
  }

  /** What happens now happens together: what is asked in the same turn may share the request. */
  #goOnSoon(): void {
    if (this.#goesOn) return;
    this.#goesOn = true;
    void Promise.resolve().then(() => {
      this.#goesOn = false;
      this.#goOn();
    });
  }

  /** Asks for a slot for each who waits; while everything waits, when that is over. */
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

  /** A slot has come. During a pause it is nobody's: whoever has waited for it goes on waiting in his place. */
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
    // A slot of one lane may leave others for the other.
    this.#goOnSoon();
    await ended;
  }

  /** A probe of the gate's own. What it ends with says something of the service, and nothing to anybody who waits. */
  async #knock(passage: Passage, knock: NonNullable<GateDeps["knock"]>): Promise<void> {
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
    passage: Passage,
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
