/**
 * Requests without a 429 before a higher rate is tried. After a failed try, four times as many are needed. Chosen: one
 * 429 in this many is half of what "at most 0.1 %" allows. Where several processes share, it is half of what "at most
 * 0.5 %" allows.
 */
export const ALONE_REQUESTS = 2_000;
const TOGETHER_REQUESTS = 400;
const LONGER = 4;
const MOST_TIMES = 64;
/** After a step back, 429s among this many requests belong to requests from before all processes had stepped back. */
const ECHO_REQUESTS = 10;

/** How close to the quota processes go: for several see `spanMs`, for a single process see `aloneMinTimeMs`. */
export type Closeness = 0 | 1 | 2;
export const CLOSEST: Closeness = 2;

/**
 * Decides whether a configured quota may be used at its full rate. The pace that every window accepts leaves one
 * request of each process unused per window (`minTimeMs`). For a small quota that is a large share. A token bucket
 * accepts the full rate, because evenly spaced requests never empty it. A window accepts it as well, if the requests
 * arrive as evenly. How the service counts is unknown, so the full rate is tried now and then. A 429 ends the try. The
 * price is one 429 in many requests.
 *
 * A single process begins with the rate that every window accepts while requests arrive evenly. It tries the last
 * percent after a long time without a 429. Several processes begin at the closest level, too, and report 429s to each
 * other. After a failed first try they go on by steps. They do so sooner than a single process, because they leave more
 * unused.
 */
export class Headroom {
  readonly #alone: Trial;
  readonly #together = new Trial(TOGETHER_REQUESTS, CLOSEST, () => undefined);
  #refusals = 0;

  /** @param onChange called when `alone` changes. */
  constructor(onChange: (alone: Closeness) => void) {
    this.#alone = new Trial(ALONE_REQUESTS, 1, onChange);
  }

  /** How far a single process exceeds the safe rate. */
  get alone(): Closeness {
    return this.#alone.level;
  }

  get closeness(): Closeness {
    return this.#together.level;
  }

  /** Number of 429s of this process. */
  get refusals(): number {
    return this.#refusals;
  }

  /** A request got an answer that is no 429. */
  taken(): void {
    this.#alone.taken();
    this.#together.taken();
  }

  /** A request got a 429, whichever process caused it. */
  refused(): void {
    this.#refusals++;
    this.#alone.refused();
    this.#together.refused();
  }

  /** Another process that shares the quota got a 429. */
  refusedElsewhere(): void {
    this.#together.refused();
  }
}

/**
 * Tries one step beyond the level that enough requests without a 429 have proved. A 429 leads back to the proved level.
 */
class Trial {
  readonly #onChange: (level: Closeness) => void;
  readonly #first: number;
  #level: Closeness;
  /** The level that a 429 leads back to. */
  #proved: Closeness = 0;
  /** Requests without a 429, since the last 429 or the last change. */
  #taken = 0;
  #needed: number;
  #echoes = 0;
  /** Whether the level is still the initial one. A 429 at the initial level is no failed try. */
  #isFirst = true;

  constructor(first: number, level: Closeness, onChange: (level: Closeness) => void) {
    this.#first = first;
    this.#needed = first;
    this.#level = level;
    this.#onChange = onChange;
  }

  get level(): Closeness {
    return this.#level;
  }

  taken(): void {
    this.#taken++;
    this.#echoes--;
    if (this.#level === CLOSEST || this.#taken < this.#needed) return;
    this.#proved = this.#level;
    this.#become(this.#level === 0 ? 1 : 2);
  }

  refused(): void {
    if (this.#level > 0 && this.#echoes <= 0) {
      // A level that held for this long was worth its 429.
      const heldLong = this.#taken >= this.#first;
      this.#needed =
        heldLong || this.#isFirst ? this.#first : Math.min(MOST_TIMES * this.#first, LONGER * this.#needed);
      this.#echoes = ECHO_REQUESTS;
      this.#become(this.#proved);
      this.#proved = 0;
    }
    this.#taken = 0;
  }

  #become(level: Closeness): void {
    this.#isFirst = false;
    this.#level = level;
    this.#taken = 0;
    this.#onChange(level);
  }
}
