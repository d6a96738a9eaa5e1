/** What became of a request. Milliseconds on a monotonic clock. */
export interface Ended {
  readonly sentAt: number;
  readonly now: number;
  /** Whether the pace has been taken back for what was refused. */
  readonly isCut: boolean;
}

/** Whether 429s come by chance or are the pace's doing; undefined: nobody knows yet, and it may be chance. */
export type Cause = "chance" | "pace" | undefined;

/** Nobody takes more than this part of the requests, nor more than so many in a row, for chance. */
const MOST_SHARE = 0.2;
const MOST_IN_A_ROW = 3;
/** Where more is known, what comes by chance is let go one by one. */
const KNOWN_IN_A_ROW = 1;
/** Fewer 429s than this part of the requests are not worth a look. */
const LEAST_SHARE = 0.01;
/** 429s further apart than so many requests are told of one by one. */
const REMEMBERED = 500;
/** What was found is known for so long, milliseconds, and while not so many times as many, and a hundredth more, come. */
const KNOWN_MS = 600_000;
const KNOWN_TIMES = 2;
/** Windows longer than this, milliseconds, are not waited for. */
const LONGEST_WINDOW_MS = 60_000;

interface LookOptions {
  /** 429s that begin it. */
  readonly refusals: number;
  /** How fast requests leave meanwhile, of their pace. */
  readonly pace: number;
  /** It lasts until so many 429s would have come by chance; of these so many prove it. */
  readonly expected: number;
  readonly enough: number;
}

const LOOK: LookOptions = { refusals: 6, pace: 0.8, expected: 6, enough: 2 };
/**
 * A pause after each 429 lets a bucket fill again, so that at a pace little slower as many are refused as before; and each
 * costs a second or more.
 */
const TOLD_LOOK: LookOptions = { refusals: 3, pace: 0.5, expected: 3, enough: 2 };

interface Look extends LookOptions {
  /** 429s before, of all requests. */
  readonly share: number;
  readonly requests: number;
  readonly refused: number;
}

/**
 * Tells 429s that come by chance, a few of a hundred whatever the pace, from those of a pace that is too fast: it has
 * requests leave more slowly for a while. As large a part of them refused as before was chance.
 *
 * Until that is known few 429s are let go, many are the pace's doing. A look that was too short to see chance goes on
 * where the pace has become as slow for other reasons.
 */
export class Chance {
  readonly #windowMs: number;
  /** 429s in a row that may be chance now. */
  #allowed = MOST_IN_A_ROW;
  #requests = 0;
  #refused = 0;
  #look: Look | undefined;
  #slowSince = Number.POSITIVE_INFINITY;
  #known = { share: 0, until: Number.NEGATIVE_INFINITY };

  constructor(windowMs: number) {
    this.#windowMs = Math.min(LONGEST_WINDOW_MS, windowMs);
  }

  /** How fast requests are to leave, of their pace, while that has not been taken back. */
  get pace(): number {
    return this.#look?.pace ?? 1;
  }

  /** The part of requests that is known to get a 429 by chance. */
  share(now: number): number {
    return now < this.#known.until ? this.#known.share : 0;
  }

  /** Requests leave at this part of their pace from now on. */
  paced(part: number, now: number): void {
    if (this.#look === undefined || part > this.#look.pace) this.#slowSince = Number.POSITIVE_INFINITY;
    else this.#slowSince = Math.min(this.#slowSince, now);
  }

  /** A request was answered with something else than a 429. */
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

  /** What was counted belongs to another pace. */
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
    // It is counted from the first 429 on: what was taken in all the time before says nothing.
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
    // What was sent in the window before counts in it, so its 429s are not of this pace.
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
