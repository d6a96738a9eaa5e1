/**
 * Requests that are made without a 429 before more is tried; after a try that failed four times as many. Chosen: one 429
 * in so many is half of what "at most 0.1 %" allows, and where several share, half of what "at most 0.5 %" does.
 */
export const ALONE_REQUESTS = 2_000;
const TOGETHER_REQUESTS = 400;
const LONGER = 4;
const MOST_TIMES = 64;
/** After a step back: 429s among so many requests belong to what was sent before all had taken it. */
const ECHO_REQUESTS = 10;

/** How closely several share a quota, as `spanMs` has it; and one that is alone, as `aloneMinTimeMs` has it. */
export type Closeness = 0 | 1 | 2;
export const CLOSEST: Closeness = 2;

/**
 * Whether a given quota may be used up to its own rate. The pace that no window refuses leaves a request of each process
 * unused in every window (`minTimeMs`), which is much of a small quota; a bucket of tokens takes it, since evenly spaced
 * requests never empty one, and so does a window that they reach as evenly. Nobody says how the service counts, so it is
 * tried now and then, and a 429 ends it: that is the price, one in many.
 *
 * A process that is alone begins with as much as no window refuses while requests come evenly, and tries the last percent when it has
 * been calm for long. Several begin as closely as that, too, and tell each other of 429s. Where the first try fails they
 * go on by steps, sooner than one alone does, since they leave more unused.
 */
export class Headroom {
  readonly #alone: Trial;
  readonly #together = new Trial(TOGETHER_REQUESTS, CLOSEST, () => undefined);
  #refusals = 0;

  /** @param onChange told when `alone` changes. */
  constructor(onChange: (alone: Closeness) => void) {
    this.#alone = new Trial(ALONE_REQUESTS, 1, onChange);
  }

  /** How far beyond what is safe a process goes that is alone. */
  get alone(): Closeness {
    return this.#alone.level;
  }

  get closeness(): Closeness {
    return this.#together.level;
  }

  /** 429s that this process had. */
  get refusals(): number {
    return this.#refusals;
  }

  /** A request was answered with something else than a 429. */
  taken(): void {
    this.#alone.taken();
    this.#together.taken();
  }

  /** A request got a 429, whoever's fault it was. */
  refused(): void {
    this.#refusals++;
    this.#alone.refused();
    this.#together.refused();
  }

  /** Another process that shares the quota had one. */
  refusedElsewhere(): void {
    this.#together.refused();
  }
}

/** Tries, each one step further than what so many requests without a 429 have proved; a 429 takes it back to that. */
class Trial {
  readonly #onChange: (level: Closeness) => void;
  readonly #first: number;
  #level: Closeness;
  /** Where a 429 leads back to. */
  #proved: Closeness = 0;
  /** Requests without a 429, since the last one or the last change. */
  #taken = 0;
  #needed: number;
  #echoes = 0;
  /** A first try that nothing has proved is no failure yet. */
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
      // What held for so long was worth its price.
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
