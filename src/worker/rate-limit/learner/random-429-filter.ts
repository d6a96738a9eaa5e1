/** The end of a request. Times are milliseconds on a monotonic clock. */
export interface Ended {
  readonly sentAt: number;
  readonly now: number;
  /** Whether the pace was reduced because of earlier 429s. */
  readonly isCut: boolean;
}

/** Whether 429s are random or caused by the pace. Undefined: unknown, so they may be random. */
export type Cause = "chance" | "pace" | undefined;

/** Bounds of random 429s: the largest share of the requests, and the most in a row. */
const MOST_SHARE = 0.2;
const MOST_IN_A_ROW = 3;
/** Random 429s in a row that are ignored once their share is known. */
const KNOWN_IN_A_ROW = 1;
/** A smaller share of 429s is not worth a check. */
const LEAST_SHARE = 0.01;
/** 429s that are further apart than this many requests are judged one by one. */
const REMEMBERED = 500;
/**
 * The known share of random 429s expires after this time, milliseconds. It also expires when the share exceeds this
 * many times the known share plus `LEAST_SHARE`.
 */
const KNOWN_MS = 600_000;
const KNOWN_TIMES = 2;
/** Longest time that a check waits for a window, milliseconds. */
const LONGEST_WINDOW_MS = 60_000;

interface LookOptions {
  /** Number of 429s that begin a check. */
  readonly refusals: number;
  /** Speed of the requests during the check, as a share of their pace. */
  readonly pace: number;
  /** A check lasts until `expected` random 429s would have come. At least `enough` 429s prove that they are random. */
  readonly expected: number;
  readonly enough: number;
}

const LOOK: LookOptions = { refusals: 6, pace: 0.8, expected: 6, enough: 2 };
/**
 * The check for 429s that announce a wait. A pause after each 429 lets a bucket fill again. At a slightly slower pace
 * as many requests are refused as before, and each refusal costs a second or more.
 */
const TOLD_LOOK: LookOptions = { refusals: 3, pace: 0.5, expected: 3, enough: 2 };

interface Look extends LookOptions {
  /** Share of 429s among all requests before the check. */
  readonly share: number;
  readonly requests: number;
  readonly refused: number;
}

/**
 * Distinguishes random 429s, a few percent at any pace, from 429s of a pace that is too fast. The check sends requests
 * more slowly for a while. If as large a share is refused as before, the 429s are random.
 *
 * Until the result is known, few 429s are ignored, and many count against the pace. A check that was too short
 * continues later, if the pace has become as slow for other reasons.
 */
export class Random429Filter {
  readonly #windowMs: number;
  /** Number of 429s in a row that may be random now. */
  #allowed = MOST_IN_A_ROW;
  #requests = 0;
  #refused = 0;
  #look: Look | undefined;
  #slowSince = Number.POSITIVE_INFINITY;
  #known = { share: 0, until: Number.NEGATIVE_INFINITY };

  constructor(windowMs: number) {
    this.#windowMs = Math.min(LONGEST_WINDOW_MS, windowMs);
  }

  /** Speed of the requests as a share of their pace, while the pace is not reduced. */
  get pace(): number {
    return this.#look?.pace ?? 1;
  }

  /** The share of requests that is known to get a random 429. */
  share(now: number): number {
    return now < this.#known.until ? this.#known.share : 0;
  }

  /** Requests are sent at this share of their pace from now on. */
  paced(part: number, now: number): void {
    if (this.#look === undefined || part > this.#look.pace) this.#slowSince = Number.POSITIVE_INFINITY;
    else this.#slowSince = Math.min(this.#slowSince, now);
  }

  /** A request got an answer that is no 429. */
  taken(ended: Ended): Cause {
    const most = ended.isCut ? KNOWN_IN_A_ROW : MOST_IN_A_ROW;
    this.#allowed = Math.min(most, this.#allowed + (ended.isCut ? this.share(ended.now) : MOST_SHARE));
    return this.#count(ended, 0, LOOK);
  }

  /** @param isTold whether the 429 said how long to wait. */
  refused(ended: Ended, isTold: boolean): Cause {
    const cause = this.#count(ended, 1, isTold ? TOLD_LOOK : LOOK);
    if (cause !== undefined) return cause;
    if (this.#allowed < 1) {
      if (!ended.isCut) this.forget();
      return "pace";
    }
    this.#allowed--;
    return undefined;
  }

  /** Drops the counts, because they belong to another pace. */
  forget(): void {
    this.#look = undefined;
    this.#beginAnew();
  }

  #beginAnew(): void {
    this.#requests = 0;
    this.#refused = 0;
    this.#allowed = 0;
    this.#slowSince = Number.POSITIVE_INFINITY;
  }

  #count(ended: Ended, refused: 0 | 1, how: LookOptions): Cause {
    if (this.#look !== undefined) return this.#seen(this.#look, ended, refused);
    if (ended.isCut) return undefined;
    this.#requests++;
    if (refused === 0) return undefined;
    if (this.#requests > REMEMBERED) this.#refused = 0;
    // Counting starts at the first 429. Requests that were accepted long before it say nothing.
    if (this.#refused === 0) this.#requests = 0;
    this.#refused++;
    if (this.#refused < how.refusals) return undefined;
    const share = (this.#refused - 1) / this.#requests;
    const known = this.share(ended.now);
    const isNews = share >= LEAST_SHARE && share > (known === 0 ? 0 : KNOWN_TIMES * known + LEAST_SHARE);
    if (isNews) this.#look = { ...how, share, requests: 0, refused: 0 };
    return undefined;
  }

  #seen(look: Look, { sentAt, now, isCut }: Ended, refused: 0 | 1): Cause {
    // Requests of the previous window still count in the service's window. Their 429s are not caused by the current
    // pace.
    if (sentAt < this.#slowSince + this.#windowMs) return undefined;
    const seen = { ...look, requests: look.requests + 1, refused: look.refused + refused };
    this.#look = seen;
    const byChance = look.share * seen.requests;
    if (seen.refused >= look.enough && seen.refused >= (byChance * look.enough) / look.expected) {
      this.#known = { share: Math.min(look.share, seen.refused / seen.requests), until: now + KNOWN_MS };
      this.forget();
      this.#allowed = MOST_IN_A_ROW;
      return "chance";
    }
    if (isCut || byChance < look.expected) return undefined;
    this.#look = { ...look, requests: 0, refused: 0 };
    this.#beginAnew();
    return "pace";
  }
}
