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
import type { AskingDeps } from "../../rate-limit/gate/ask-with-retries.ts";
import { Refusals } from "../../rate-limit/gate/refusals/refusals.ts";
import { keepPosition, requeue } from "../../rate-limit/queue/position.ts";
import { type BisectionHalf, type OutgoingBatch, setApart } from "../outgoing-batch.ts";
import type { OpenParts } from "../queue/open-parts.ts";
import type { Queues } from "../queue/queues.ts";
import type { Waiting, WaitingQueue } from "../queue/waiting.ts";
import { FailedElsewhere } from "./recent-failures.ts";
import { KeyOrRequest } from "./unauthorized-cause.ts";
import type { UnsupportedChains } from "./unsupported-chains.ts";

/** Where parts go back to that have another try. */
interface Pool {
  readonly isOff: () => boolean;
  enqueue(queue: WaitingQueue, waiting: Waiting): void;
  /** Where it stood, as if it had not left. */
  putBack(queue: WaitingQueue, waiting: Waiting): void;
  /** Something waits that waited for an answer. */
  start(): void;
}

/** Those that failed together in so many attempts travel in halves from then on: one may be what fails the others. */
const POOLED_ATTEMPTS = 2;

/** What was flagged is confirmed alone after so many requests among canaries that failed. */
const MOST_FAILURES = 2;

/**
 * What becomes of the parts of requests that failed: what was refused is sent in several (`Queues.split`), and so is what
 * failed twice in company; all else has another try, pooled or alone, until its attempts are used up.
 */
export class FailedRequests {
  readonly #deps: AskingDeps & { readonly log: Log };
  readonly #open: OpenParts;
  readonly #queues: Queues;
  readonly #pool: Pool;
  readonly #unsupported: UnsupportedChains;
  readonly #elsewhere = new FailedElsewhere<Waiting>();
  readonly #refused: KeyOrRequest;

  constructor(
    deps: AskingDeps & { readonly log: Log },
    open: OpenParts,
    queues: Queues,
    pool: Pool,
    unsupported: UnsupportedChains,
  ) {
    this.#deps = deps;
    this.#open = open;
    this.#queues = queues;
    this.#pool = pool;
    this.#unsupported = unsupported;
    this.#refused = new KeyOrRequest(deps.gate);
  }

  /** A request failed. @param thrown what with: the end of the run, a refusal, or what may be over later. */
  take(cut: OutgoingBatch, thrown: unknown): void {
    const { kind, waiting } = cut;
    if (thrown instanceof RateLimitedError) this.#queues.limited(cut);
    if (thrown instanceof ExtraItemsError)
      this.#deps.log.warn("the service answered items that nobody asked about", { extra: thrown.extra });
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

  /** What was asked again among canaries is asked so once more where that may help, and else alone. */
  #unconfirmed(waiting: readonly Waiting[], thrown: AppError): void {
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

  /** What waits on a chain that is known not to be there has its answer. */
  #settleUnsupported(thrown: AppError): void {
    if (!(thrown instanceof ChainUnsupportedError)) return;
    const outcomeOf = ({ part, trace }: Waiting) => this.#unsupported.find(part, trace.requests);
    for (const queue of [this.#queues.alone, this.#queues.pooled]) {
      for (const waiting of queue.takeOut((each) => outcomeOf(each) !== undefined)) {
        const outcome = outcomeOf(waiting);
        if (outcome !== undefined) this.#open.settle(waiting, outcome);
      }
    }
  }

  /**
   * One of them may be what the service fails for, or it fails by chance: they are asked together once more, and then in
   * halves. A half is no repetition: it is asked whatever the process may afford, and costs no attempt.
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
    const suspects: Waiting[] = [];
    const others: Waiting[] = [];
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

  #searchAmong(suspects: readonly Waiting[], kind: OutgoingBatch["kind"]): void {
    for (const each of suspects) if (each.asks === 0) this.#open.forget(each);
    this.#queues.splitFailed({ kind, waiting: suspects.filter(({ asks }) => asks > 0) });
    this.#pool.start();
  }

  /** Nothing is to be concluded from a request: what waited for its answer goes by itself. */
  #release(cut: BisectionHalf): void {
    if (this.#queues.release(cut)) this.#pool.start();
  }

  /** The key, or one of these parts. */
  #refusedByKey(cut: OutgoingBatch, error: UnauthorizedError): void {
    const [only, ...others] = cut.waiting;
    if (only === undefined) return;
    if (others.length > 0 || cut.kind === "pooled") {
      const whose = this.#refused.judge(cut.waiting, this.#deps.clock.ticks());
      if (whose === "own") {
        this.#queues.split(cut, "");
        this.#pool.start();
      } else if (whose === "doubtful") {
        // Whoever came meanwhile is not to wait with one that may be refused for itself.
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

  /** Nothing was said of these: they are asked together as before, where they stood. */
  #askAgain(cut: OutgoingBatch): void {
    if (this.#queues.repeat(cut)) {
      this.#pool.start();
      return;
    }
    this.#comeBack(cut.waiting, cut.kind);
    this.#release(cut);
  }

  /** One that is left goes without strangers. */
  #askInHalves({ waiting, kind, search }: OutgoingBatch): void {
    const middle = Math.floor(waiting.length / 2);
    for (const half of [waiting.slice(0, middle), waiting.slice(middle)]) {
      setApart(half);
      this.#comeBack(half, half.length === waiting.length ? "alone" : kind);
    }
    this.#release({ waiting, kind, search });
  }

  #comeBack(waiting: readonly Waiting[], kind: OutgoingBatch["kind"]): void {
    for (const each of waiting) {
      requeue(each);
      this.#again(each, kind === "pooled", true);
    }
  }

  /** Another try for a part, or its failure. */
  retry(waiting: Waiting, error: AppError, failure: RequestFailure, kind: OutgoingBatch["kind"]): void {
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

  #again(waiting: Waiting, mayPool: boolean, isKept = false): void {
    const queue = mayPool && !this.#pool.isOff() ? this.#queues.pooled : this.#queues.alone;
    if (isKept) this.#pool.putBack(queue, waiting);
    else this.#pool.enqueue(queue, waiting);
  }
}

/** Whether the same bytes would be refused again: a part that was not alone among them may still have an answer. */
function isRefusal(thrown: AppError): boolean {
  return thrown instanceof RejectedError || thrown instanceof ChainUnsupportedError;
}
