import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { PooledAnswer } from "./ask-pooled.ts";

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
  readonly #foundOut: () => void;
  #lostCanaries = 0;
  /** When pooling is tried again, on the monotonic clock; Infinity: a canary was silent, and it never is. */
  #offUntil = 0;

  /** @param foundOut is told, once, when pooling goes off for good: what was pooled before is to be believed no longer. */
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
    // Asked about every part, and nearly always it was never off.
    return this.#offUntil > 0 && this.#clock.ticks() < this.#offUntil;
  }

  /**
   * What the canaries of a request did. @returns whether what they prove of its answer counts: of one with a silent or
   * a lost canary nothing does, and since a service is found out nothing does that was on its way then.
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
    else if (canaries === "lost") this.#log.warn("a canary was not answered: its request does not count");
    else this.#log.warn("canaries of a chain were refused: what was answered there does not count");
  }

  #offForGood(): void {
    if (this.isOffForGood) return;
    this.#offUntil = Number.POSITIVE_INFINITY;
    this.#log.error("a canary was not flagged: pooling is off, and stays off");
    this.#foundOut();
  }

  #offForAWhile(): void {
    if (!this.isOff)
      this.#log.error("canaries were not answered: nothing is pooled for a while", { restMs: LOST_REST_MS });
    this.#offUntil = Math.max(this.#offUntil, this.#clock.ticks() + LOST_REST_MS);
  }
}
