import { MAX_BATCH_ITEMS } from "../../../api/schemas/address-poisoning.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/retry.ts";

/**
 * After this many consecutive 429s to large requests, small requests are tried. Chosen: a used-up quota causes a few.
 */
const SUSPICIOUS = 8;
/**
 * Small requests that must be answered while no large one is. Each request is large or small at random, so chance alone
 * does this once in 1,024 times.
 */
const TAKEN = 10;
/** Smallest limit of a request, items. */
const LEAST = 32;
/** Items of a small trial request: its canaries and a few events. */
const SMALL = 16;
/**
 * After this many answers to large requests, a request of twice the size is tried. The number doubles after each failed
 * trial.
 */
const GROW_AFTER = 100;
const MAX_GROW_AFTER = 10_000;

/** The size limit of a request, and the kind of trial that the request is. */
export interface Allowance {
  /** Number of requests so far, this request included. */
  readonly no: number;
  readonly most: number;
  readonly how: "usual" | "small" | "growing";
}

/**
 * Limits the items per request at a service that counts items against the quota, or that answers 429 to large requests.
 * A 429 costs no attempt, so such a request would otherwise be repeated for ever.
 *
 * After repeated 429s to large requests, each request is large or small at random. A used-up quota of requests refuses
 * both sizes alike, and the first large request that is answered ends the doubt. If only small requests are answered,
 * the limit is halved. The new limit holds for the rest of the run, or until a trial with twice the size is answered.
 */
export class RequestSize {
  readonly #random: Random;
  readonly #log: Log;
  readonly #limit: number;
  #most: number;
  #cuts = 0;
  #refusedInARow = 0;
  /** Number of requests at the last 429 that counts. All requests that were in flight then count as one refusal. */
  #refusedAt = 0;
  #isInDoubt = false;
  #smallTaken = 0;
  #taken = 0;
  #growAfter = GROW_AFTER;
  #isGrowing = false;
  #isLogged = false;

  /** @param limit Limit of items for any request. */
  constructor(random: Random, log: Log, limit = MAX_BATCH_ITEMS) {
    this.#limit = limit;
    this.#most = limit;
    this.#random = random;
    this.#log = log;
  }

  /** Current limit of items in a request, without trials. */
  get most(): number {
    return this.#most;
  }

  /**
   * The limit for the next request.
   *
   * @param waiting Items of all entries that could join the request, counted up to one full request.
   */
  next(waiting: number): Allowance {
    const no = ++this.#cuts;
    const most = this.#most;
    if (this.#isInDoubt && this.#isLarge(waiting) && this.#random() < 0.5) return { no, most: SMALL, how: "small" };
    if (this.#taken < this.#growAfter || this.#isGrowing || waiting <= most) return { no, most, how: "usual" };
    this.#isGrowing = true;
    return { no, most: Math.min(this.#limit, 2 * most), how: "growing" };
  }

  /**
   * The request got a 429.
   *
   * @param items Items in the request.
   */
  limited({ no, how }: Allowance, items: number): void {
    if (how === "growing") {
      this.#growAfter = Math.min(MAX_GROW_AFTER, 2 * this.#growAfter);
      this.#grown(this.#most);
    } else if (this.#isLarge(items) && no > this.#refusedAt) {
      this.#refusedAt = this.#cuts;
      this.#refusedInARow++;
      if (this.#refusedInARow >= SUSPICIOUS && this.#most > LEAST) this.#isInDoubt = true;
      this.#decide();
    }
  }

  /** The request was answered. */
  answered({ most, how }: Allowance, items: number): void {
    if (how === "growing") this.#grown(items > this.#most ? most : this.#most);
    else if (this.#isLarge(items)) {
      this.#taken++;
      this.#refusedInARow = 0;
      this.#smallTaken = 0;
      this.#isInDoubt = false;
    } else if (how === "small" && this.#isInDoubt) {
      this.#smallTaken++;
      this.#decide();
    }
  }

  #isLarge(items: number): boolean {
    return items > this.#most / 2;
  }

  #decide(): void {
    if (this.#smallTaken < TAKEN || this.#refusedInARow < SUSPICIOUS) return;
    this.#most = Math.max(LEAST, Math.floor(this.#most / 2));
    this.#refusedInARow = 0;
    this.#smallTaken = 0;
    this.#taken = 0;
    this.#isInDoubt = this.#most > LEAST;
    if (this.#isLogged) return;
    this.#isLogged = true;
    this.#log.warn(
      "the service answers 429 to large requests and accepts small ones: Weir sends smaller requests; ask the operator of the service for a quota by requests, not by items",
      { items: this.#most },
    );
  }

  #grown(most: number): void {
    this.#most = most;
    this.#taken = 0;
    this.#isGrowing = false;
  }
}
