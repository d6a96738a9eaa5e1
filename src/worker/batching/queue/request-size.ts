import { MAX_BATCH_ITEMS } from "../../../api/schemas/address-poisoning.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Random } from "../../../kernel/random.ts";

/** 429s in a row to large requests from which on small ones are tried. Chosen: a quota that is used up makes a few. */
const SUSPICIOUS = 8;
/** Small ones that must be taken, and no large one. As each is large or small by lot, chance does so once in 1,024 times. */
const TAKEN = 10;
/** No request is made smaller than this, items. */
const LEAST = 32;
/** What a small one holds: its canaries, and a few events. */
const SMALL = 16;
/** Answers to requests of the size that is allowed, after which twice of it is tried; twice as many after each failure. */
const GROW_AFTER = 100;
const MAX_GROW_AFTER = 10_000;

/** What a request may hold, and what is to be learned from it. */
export interface Allowance {
  /** Requests that were cut until it was, itself included. */
  readonly no: number;
  readonly most: number;
  readonly how: "usual" | "small" | "growing";
}

/**
 * How many items a request may hold at a service whose quota is of items, or whose 429 means "too large": a 429 is free, so
 * the same request would be made for ever. Where large ones are refused time and again, requests are large or small by
 * lot: a quota of requests that is used up treats both alike, and the first large one that is taken ends the doubt. Only
 * where all that is taken is small, half of the items are allowed from then on, for the rest of the run, or until twice
 * as many are taken again.
 */
export class RequestSize {
  readonly #random: Random;
  readonly #log: Log;
  readonly #limit: number;
  #most: number;
  #cuts = 0;
  #refusedInARow = 0;
  /** What was cut until the last 429 that counts: of all that was on its way then, one says as much as all. */
  #refusedAt = 0;
  #isInDoubt = false;
  #smallTaken = 0;
  #taken = 0;
  #growAfter = GROW_AFTER;
  #isGrowing = false;
  #isLogged = false;

  /** @param limit items that any request may hold at most. */
  constructor(random: Random, log: Log, limit = MAX_BATCH_ITEMS) {
    this.#limit = limit;
    this.#most = limit;
    this.#random = random;
    this.#log = log;
  }

  /** Items of a request at most, trials aside. */
  get most(): number {
    return this.#most;
  }

  /** A request is cut. @param waiting items of all that might be in it, counted as far as a request goes. */
  next(waiting: number): Allowance {
    const no = ++this.#cuts;
    const most = this.#most;
    if (this.#isInDoubt && this.#isLarge(waiting) && this.#random() < 0.5) return { no, most: SMALL, how: "small" };
    if (this.#taken < this.#growAfter || this.#isGrowing || waiting <= most) return { no, most, how: "usual" };
    this.#isGrowing = true;
    return { no, most: Math.min(this.#limit, 2 * most), how: "growing" };
  }

  /** It got a 429. @param items that it held. */
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

  /** It was answered. */
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
      "the service answers 429 to large requests and takes small ones: requests are smaller from now on; ask whoever runs it for a quota of requests, not of items",
      { items: this.#most },
    );
  }

  #grown(most: number): void {
    this.#most = most;
    this.#taken = 0;
    this.#isGrowing = false;
  }
}
