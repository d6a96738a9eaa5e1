import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { PooledAnswer } from "./ask-pooled.ts";

/** Consecutive requests with unanswered canaries that are no longer an accident. */
const MAX_LOST_CANARIES = 3;
/**
 * How long batching rests after that, milliseconds. Chosen: a service in a brown-out answers half of its requests for
 * minutes. A service that cannot answer large requests costs three requests per rest.
 */
const LOST_REST_MS = 60_000;

/** Decides whether entries of several events may share a request, by the canaries of earlier requests. */
export class PoolingSwitch {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #log: Log;
  readonly #foundOut: () => void;
  #lostCanaries = 0;
  /**
   * When batching is tried again, milliseconds of the monotonic clock. Infinity: a canary was silent, and batching
   * stays off.
   */
  #offUntil = 0;

  /**
   * @param foundOut Called once, when batching goes off for good. Earlier batched answers must not be used any more.
   */
  constructor(clock: Pick<Clock, "ticks">, log: Log, foundOut: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#foundOut = foundOut;
  }

  /** Whether a canary was silent. */
  get isOffForGood(): boolean {
    return this.#offUntil === Number.POSITIVE_INFINITY;
  }

  get isOff(): boolean {
    // Read for every entry, and nearly always batching was never off.
    return this.#offUntil > 0 && this.#clock.ticks() < this.#offUntil;
  }

  /**
   * Records the canaries of a request.
   *
   * @returns whether the answer counts. A silent or lost canary voids its answer. After a silent canary the answers of
   * all batches in flight are void as well.
   */
  heard(canaries: PooledAnswer["canaries"]): boolean {
    if (canaries === "sang") this.#lostCanaries = 0;
    else if (canaries === "silent") this.#offForGood();
    else this.#lost(canaries);
    return (canaries === "sang" || canaries === "refused") && !this.isOffForGood;
  }

  #lost(canaries: "lost" | "refused"): void {
    this.#lostCanaries++;
    if (this.#lostCanaries >= MAX_LOST_CANARIES) this.#offForAWhile();
    else if (canaries === "lost") this.#log.warn("a canary was not answered: Weir discards the answers of this batch");
    else this.#log.warn("the service refused the canaries of a chain: Weir discards the answers about this chain");
  }

  #offForGood(): void {
    if (this.isOffForGood) return;
    this.#offUntil = Number.POSITIVE_INFINITY;
    this.#log.error("a canary was not flagged: Weir sends no more batches until a restart");
    this.#foundOut();
  }

  #offForAWhile(): void {
    if (!this.isOff)
      this.#log.error("canaries were not answered: Weir sends no batches for a while", { restMs: LOST_REST_MS });
    this.#offUntil = Math.max(this.#offUntil, this.#clock.ticks() + LOST_REST_MS);
  }
}
