import type { Random } from "../../kernel/random.ts";

/** A request on its way, as the learner knows it again when it ends. Milliseconds on a monotonic clock. */
export interface Flight {
  readonly sentAt: number;
}

/** How often a quota that is used up is asked whether it is open again. */
export interface Patience {
  /** The first wait, milliseconds; waits grow with how long it stays used up. */
  readonly firstMs: number;
  /** Whether waits double as well: who does not measure has no need to know the moment. */
  readonly doubles: boolean;
  /** For so long after the first 429 requests go on: at a fast pace that tells sooner than asking one by one, milliseconds. */
  readonly graceMs: number;
}

/** Of the time that it has been used up: so much later, at most, is it found open. */
const LATER_SHARE = 0.1;
const LONGEST_MS = 60_000;
const MAX_DOUBLINGS = 4;

/**
 * A time in which a key's quota is used up: one request at a time asks whether it is open again, and everything else
 * waits for its answer, so that nobody runs into a closed door together.
 */
export class UsedUp {
  /** When the first refused request left. */
  readonly begunAt: number;
  readonly #patience: Patience;
  readonly #random: Random;
  readonly #graceUntil: number;
  #nextAt = 0;
  #asked = 0;
  #asking: Flight | undefined;
  #refusals = 0;
  #lastRefusedAt: number;

  /** @param now when the first 429 came back. */
  constructor(first: Flight, now: number, patience: Patience, random: Random) {
    this.begunAt = first.sentAt;
    this.#lastRefusedAt = first.sentAt;
    this.#patience = patience;
    this.#random = random;
    this.#graceUntil = patience.graceMs > 0 ? now + patience.graceMs : Number.NEGATIVE_INFINITY;
    this.refused(first, now);
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** When the last refused request left: it was open again at some time after that. */
  get lastRefusedAt(): number {
    return this.#lastRefusedAt;
  }

  /** How long the next request must wait, milliseconds; Infinity: until the one that asks is back. */
  waitMs(now: number): number {
    if (now < this.#graceUntil) return 0;
    return this.#asking === undefined ? Math.max(0, this.#nextAt - now) : Number.POSITIVE_INFINITY;
  }

  sent(flight: Flight): void {
    if (flight.sentAt >= this.#graceUntil) this.#asking = flight;
  }

  /** It was given up, or lost: the next one may ask. */
  undecided(flight: Flight): void {
    if (flight === this.#asking) this.#asking = undefined;
  }

  refused(flight: Flight, now: number): void {
    this.#refusals++;
    this.#lastRefusedAt = Math.max(this.#lastRefusedAt, flight.sentAt);
    // What was on its way when the first one came back says nothing new.
    if (this.#refusals > 1 && flight !== this.#asking) return;
    this.#asking = undefined;
    const { firstMs, doubles } = this.#patience;
    const step = doubles ? firstMs * 2 ** Math.min(this.#asked, MAX_DOUBLINGS) : firstMs;
    const wait = Math.min(LONGEST_MS, Math.max(step, LATER_SHARE * (now - this.begunAt)));
    this.#asked++;
    // Several processes must not ask at the same moment.
    this.#nextAt = now + wait * (0.75 + this.#random() / 2);
  }

  /** Whether the quota is open again, since `flight` was taken. */
  isOpenedBy(flight: Flight): boolean {
    return flight === this.#asking || (this.#patience.graceMs > 0 && flight.sentAt > this.begunAt);
  }
}
