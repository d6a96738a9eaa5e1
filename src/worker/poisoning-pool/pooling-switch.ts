import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";

/** Canaries without an answer in a row: by then it is no accident. */
const MAX_LOST_CANARIES = 3;
/**
 * How long nothing is pooled then, milliseconds. Chosen: a service that answers half of what it is asked, in a brown-out,
 * does so for minutes, and one that cannot answer many at once costs three requests each time.
 */
const LOST_REST_MS = 60_000;

/** Whether strangers may share a request, by what became of the canaries of the requests before. */
export class PoolingSwitch {
  readonly #clock: Pick<Clock, "ticks">;
  readonly #log: Log;
  #lostCanaries = 0;
  /** When pooling is tried again, on the monotonic clock; Infinity: a canary was silent, and it never is. */
  #offUntil = 0;

  constructor(clock: Pick<Clock, "ticks">, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get isOff(): boolean {
    // Asked about every part, and nearly always it was never off.
    return this.#offUntil > 0 && this.#clock.ticks() < this.#offUntil;
  }

  /** All canaries of a request were flagged. */
  sang(): void {
    this.#lostCanaries = 0;
  }

  /** A request has canaries that were not flagged, or not answered: nothing of it counts. */
  voided(canaries: "silent" | "lost"): void {
    this.#lostCanaries++;
    if (canaries === "silent") this.#offForGood();
    else if (this.#lostCanaries >= MAX_LOST_CANARIES) this.#offForAWhile();
    else this.#log.warn("a canary was not answered: its request does not count");
  }

  #offForGood(): void {
    if (this.#offUntil < Number.POSITIVE_INFINITY)
      this.#log.error("a canary was not flagged: pooling is off, and stays off");
    this.#offUntil = Number.POSITIVE_INFINITY;
  }

  #offForAWhile(): void {
    if (!this.isOff)
      this.#log.error("canaries were not answered: nothing is pooled for a while", { restMs: LOST_REST_MS });
    this.#offUntil = Math.max(this.#offUntil, this.#clock.ticks() + LOST_REST_MS);
  }
}
