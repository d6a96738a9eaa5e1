import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { backoffMs } from "../../../kernel/retry.ts";
import { answered } from "../../answers/outcome.ts";
import {
  ChainUnsupportedError,
  ExtraItemsError,
  KeyReplacedError,
  RateLimitedError,
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
} from "../../answers/service-errors.ts";
import { failureOf, RETRY, type RequestFailure } from "../../rate-limit/gate/after-failure.ts";
import type { RetryDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import { Refusals } from "../../rate-limit/gate/refusals/refusals.ts";
import { keepPosition, requeue } from "../../rate-limit/queue/position.ts";
import type { BatchCutter } from "../batch-cutter.ts";
import { type BisectionHalf, type OutgoingBatch, setApart } from "../outgoing-batch.ts";
import type { EntryQueue, QueuedEntry } from "../queue/entry-queue.ts";
import type { OpenEntries } from "../queue/open-entries.ts";
import { RecentFailures } from "./recent-failures.ts";
import { UnauthorizedCause } from "./unauthorized-cause.ts";
import type { UnsupportedChains } from "./unsupported-chains.ts";

/** The queues that take an entry for another attempt. */
interface Pool {
  readonly isOff: () => boolean;
  enqueue(queue: EntryQueue, waiting: QueuedEntry): void;
  /** Queues an entry at its former position. */
  putBack(queue: EntryQueue, waiting: QueuedEntry): void;
  /** Sends the entries that waited for an answer. */
  start(): void;
}

/**
 * Entries that failed together in this many attempts are sent in halves, because one entry may fail the whole request.
 */
const POOLED_ATTEMPTS = 2;

/** After this many failed requests among canaries, a flag is confirmed alone. */
const MOST_FAILURES = 2;

/**
 * Decides what happens to the entries of a failed request. A refused request is sent in several requests
 * (`BatchQueues.split`), and so is a batch that failed twice. Every other entry gets another attempt, batched or alone,
 * until its attempts are used up.
 */
export class FailedRequests {
  readonly #deps: RetryDeps & { readonly log: Log };
  readonly #open: OpenEntries;
  readonly #queues: BatchCutter;
  readonly #pool: Pool;
  readonly #unsupported: UnsupportedChains;
  readonly #elsewhere = new RecentFailures<QueuedEntry>();
  readonly #refused: UnauthorizedCause;

  constructor(
    deps: RetryDeps & { readonly log: Log },
    open: OpenEntries,
    queues: BatchCutter,
    pool: Pool,
    unsupported: UnsupportedChains,
  ) {
    this.#deps = deps;
    this.#open = open;
    this.#queues = queues;
    this.#pool = pool;
    this.#unsupported = unsupported;
    this.#refused = new UnauthorizedCause(deps.gate);
  }

  /**
   * Handles a failed request.
   *
   * @param thrown The end of the run, a refusal, or a failure that may be temporary.
   */
  take(cut: OutgoingBatch, thrown: unknown): void {
    const { kind, waiting } = cut;
    if (thrown instanceof RateLimitedError) this.#queues.limited(cut);
    if (thrown instanceof ExtraItemsError)
      this.#deps.log.warn("the service answered about items that were not in the request", { extra: thrown.extra });
    if (!(thrown instanceof AppError) || thrown instanceof ServiceDownError || this.#deps.signal.aborted) {
      for (const each of waiting) this.#open.abandon(each, thrown);
      this.#release(cut);
    } else if (cut.kind === "pooled" && cut.isAmongCanaries) this.#unconfirmed(waiting, thrown);
    else if (isRefusal(thrown) && (waiting.length > 1 || kind === "pooled")) {
      for (const each of waiting) this.#open.refuse(each);
      this.#queues.split(cut, thrown.message);
      this.#settleUnsupported(thrown);
      this.#pool.start();
    } else if (thrown instanceof KeyReplacedError) this.#askAgain(cut);
    else if (thrown instanceof UnauthorizedError) this.#refusedByKey(cut, thrown);
    else if (waiting.length > 1 && thrown.retryable && !this.#deps.gate.isFree(thrown))
      this.#failedTogether(cut, thrown);
    else {
      this.#rememberUnsupported(cut, thrown);
      const failure = failureOf(thrown, this.#deps.gate);
      for (const each of waiting) this.retry(each, thrown, failure, kind);
      this.#release(cut);
      this.#settleUnsupported(thrown);
    }
  }

  /** Repeats a confirmation among canaries if that may help. Otherwise the flag is confirmed alone. */
  #unconfirmed(waiting: readonly QueuedEntry[], thrown: AppError): void {
    const isFree = thrown instanceof RateLimitedError || thrown instanceof KeyReplacedError;
    for (const each of waiting) {
      const { flagged } = each;
      if (flagged !== undefined && !isFree) flagged.failures++;
      const mayRepeat = isFree || (thrown.retryable && flagged !== undefined && flagged.failures < MOST_FAILURES);
      if (mayRepeat && !this.#pool.isOff()) this.#pool.putBack(this.#queues.amongCanaries, each);
      else this.#pool.enqueue(this.#queues.confirming, each);
    }
  }

  #rememberUnsupported({ waiting }: OutgoingBatch, thrown: AppError): void {
    if (!(thrown instanceof ChainUnsupportedError)) return;
    const now = this.#deps.clock.now();
    for (const { part, trace } of waiting) this.#unsupported.refused(part, thrown, answered(trace, now));
  }

  /** Answers the waiting entries of a chain that the service does not support. */
  #settleUnsupported(thrown: AppError): void {
    if (!(thrown instanceof ChainUnsupportedError)) return;
    const outcomeOf = ({ part, trace }: QueuedEntry) => this.#unsupported.find(part, trace.requests);
    for (const queue of [this.#queues.alone, this.#queues.pooled]) {
      for (const waiting of queue.takeOut((each) => outcomeOf(each) !== undefined)) {
        const outcome = outcomeOf(waiting);
        if (outcome !== undefined) this.#open.settle(waiting, outcome);
      }
    }
  }

  /**
   * One entry may fail the whole request, or the failure is chance. The entries are sent together once more, then in
   * halves. A half is not a retry: it needs no retry budget and costs no attempt.
   */
  #failedTogether(cut: OutgoingBatch, error: AppError): void {
    const { kind, waiting } = cut;
    const { gate, clock, random, signal } = this.#deps;
    const isSearched = this.#queues.isForFailure(cut);
    const mayBeChance = !isSearched || this.#elsewhere.isBeside(waiting, gate.answers);
    const mayRepeat = mayBeChance && gate.mayRetry(error);
    if (isSearched && !mayRepeat) {
      this.#queues.split(cut, "");
      this.#pool.start();
      return;
    }
    this.#release(cut);
    if (!isSearched) this.#elsewhere.add(waiting, gate.answers);
    const suspects: QueuedEntry[] = [];
    const others: QueuedEntry[] = [];
    for (const each of waiting) {
      if (each.attempts < POOLED_ATTEMPTS) each.attempts++;
      const mayRest = isSearched || (mayRepeat && each.attempts < POOLED_ATTEMPTS);
      (mayRest ? others : suspects).push(each);
    }
    const again = () => {
      for (const each of others) this.#again(each, kind === "pooled");
      this.#searchAmong(suspects, kind);
    };
    clock.sleep(backoffMs(RETRY, POOLED_ATTEMPTS, random), signal).then(again, (reason: unknown) => {
      for (const each of waiting) this.#open.abandon(each, reason);
    });
  }

  #searchAmong(suspects: readonly QueuedEntry[], kind: OutgoingBatch["kind"]): void {
    for (const each of suspects) if (each.asks === 0) this.#open.forget(each);
    this.#queues.splitFailed({ kind, waiting: suspects.filter(({ asks }) => asks > 0) });
    this.#pool.start();
  }

  /** A request without a result ends its search. The items that waited for it are searched by themselves. */
  #release(cut: BisectionHalf): void {
    if (this.#queues.release(cut)) this.#pool.start();
  }

  /** Decides whether the key or one of the entries was refused. */
  #refusedByKey(cut: OutgoingBatch, error: UnauthorizedError): void {
    const [only, ...others] = cut.waiting;
    if (only === undefined) return;
    if (others.length > 0 || cut.kind === "pooled") {
      const whose = this.#refused.judge(cut.waiting, this.#deps.clock.ticks());
      if (whose === "own") {
        this.#queues.split(cut, "");
        this.#pool.start();
      } else if (whose === "doubtful") {
        // Entries that arrived meanwhile must not wait with an entry that may be refused for itself.
        setApart(cut.waiting);
        this.#askAgain(cut);
      } else this.#askInHalves(cut);
      return;
    }
    this.#release(cut);
    only.refusals ??= new Refusals();
    const isOwnFault = only.refusals.add(this.#deps.gate);
    const judge = () => (isOwnFault ? "final" : "free");
    this.retry(only, error, { ...failureOf(error, this.#deps.gate), judge }, cut.kind);
  }

  /** The request said nothing about its entries: they are queued again together, at their former position. */
  #askAgain(cut: OutgoingBatch): void {
    if (this.#queues.repeat(cut)) {
      this.#pool.start();
      return;
    }
    this.#comeBack(cut.waiting, cut.kind);
    this.#release(cut);
  }

  /** Sends both halves. A half with a single entry goes without entries of other events. */
  #askInHalves({ waiting, kind, search }: OutgoingBatch): void {
    const middle = Math.floor(waiting.length / 2);
    for (const half of [waiting.slice(0, middle), waiting.slice(middle)]) {
      setApart(half);
      this.#comeBack(half, half.length === waiting.length ? "alone" : kind);
    }
    this.#release({ waiting, kind, search });
  }

  #comeBack(waiting: readonly QueuedEntry[], kind: OutgoingBatch["kind"]): void {
    for (const each of waiting) {
      requeue(each);
      this.#again(each, kind === "pooled", true);
    }
  }

  /** Gives an entry another attempt, or settles it with its failure. */
  retry(waiting: QueuedEntry, error: AppError, failure: RequestFailure, kind: OutgoingBatch["kind"]): void {
    const { clock, random, signal } = this.#deps;
    const next = failure.judge(waiting.attempts + 1);
    if (next !== "free") this.#elsewhere.blame(waiting);
    if (next === "final") {
      this.#open.settle(waiting, { ok: false, error, trace: answered(waiting.trace, clock.now()) });
      return;
    }
    if (next === "charged") waiting.attempts++;
    const isKept = keepPosition(waiting, error);
    if (next === "free") this.#again(waiting, kind === "pooled", isKept);
    else
      clock
        .sleep(backoffMs(RETRY, waiting.attempts, random), signal)
        .then(() => failure.afforded(waiting))
        .then(
          () => this.#again(waiting, kind === "pooled" && waiting.attempts < POOLED_ATTEMPTS, isKept),
          (reason: unknown) => this.#open.abandon(waiting, reason),
        );
  }

  #again(waiting: QueuedEntry, mayPool: boolean, isKept = false): void {
    const queue = mayPool && !this.#pool.isOff() ? this.#queues.pooled : this.#queues.alone;
    if (isKept) this.#pool.putBack(queue, waiting);
    else this.#pool.enqueue(queue, waiting);
  }
}

/**
 * Whether the same bytes would be refused again. An entry that was not alone in the request may still get an answer.
 */
function isRefusal(thrown: AppError): boolean {
  return thrown instanceof RejectedError || thrown instanceof ChainUnsupportedError;
}
