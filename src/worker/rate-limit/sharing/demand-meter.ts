/** Of the time that is looked back upon, milliseconds. Chosen: what comes once a second is ten then, and no longer one or none. */
const WINDOW_MS = 10_000;
/** In so much time, milliseconds, whoever has ended is seen to. Chosen: as long as a statement stands. */
const SHORT_MS = 2_000;
/**
 * Whoever is kept waiting for nine tenths of so many milliseconds, and of so many slots, is held back by the pace alone.
 * Chosen: half as long, and half as many, were had so often by those who ask now and then that a tenth of a quota lay idle.
 */
const BUSY = 0.9;
const BUSY_MS = 4_000;
const BUSY_SLOTS = 8;
/** Where somebody waits for longer, slots are too few for those who wait now. These are to be gone in a second. */
const LONG_WAIT_MS = 250;
/** How long a request that comes at random is to wait for its slot on average, seconds. */
const MEAN_WAIT_S = 1;
/** What is asked for beyond what was sent at least, and in which steps: shares that change with each statement cost slots. */
const MORE = 1.25;
const STEP = 1.05;

interface Look {
  readonly at: number;
  readonly busyMs: number;
  readonly sent: number;
}

/**
 * How many requests a second a process could send, from who waits for a slot and what was sent. Somebody who waits while
 * all connections are in use waits for an answer, not for a slot. Times are ticks, milliseconds.
 */
export class DemandMeter {
  readonly #maxRunning: number;
  #waiting = 0;
  #running = 0;
  #sent = 0;
  #busyMs = 0;
  #busySince: number | undefined;
  #looks: readonly Look[] = [];

  /** @param maxRunning requests that can be on the wire at once. */
  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** One more waits for a slot. */
  waits(now: number): void {
    this.#waiting++;
    this.#update(now);
  }

  /** One who waited waits no more, and got no slot. */
  leaves(now: number): void {
    this.#waiting--;
    this.#update(now);
  }

  /** A slot came for one who waited. */
  begins(now: number): void {
    this.#waiting--;
    this.#running++;
    this.#sent++;
    this.#update(now);
  }

  /** A request was answered, or failed. */
  ends(now: number): void {
    this.#running--;
    this.#update(now);
  }

  /** Requests a second; Infinity: as many as it gets. To be asked several times a second. */
  perSecond(now: number): number {
    const waitedMs = this.#busySince === undefined ? 0 : now - this.#busySince;
    const look = { at: now, busyMs: this.#busyMs + waitedMs, sent: this.#sent };
    const first = this.#looks.findLastIndex(({ at }) => at <= now - WINDOW_MS);
    this.#looks = [...this.#looks.slice(Math.max(0, first)), look];
    if (this.#isHeldBack(look)) return Number.POSITIVE_INFINITY;
    const wanted = Math.max(needed(this.#rate(look)), waitedMs >= LONG_WAIT_MS ? this.#waiting : 0);
    return wanted === 0 ? 0 : STEP ** Math.ceil(Math.log(wanted) / Math.log(STEP));
  }

  #isHeldBack({ at, busyMs, sent }: Look): boolean {
    const before = this.#before((look) => look.at <= at - BUSY_MS && look.sent <= sent - BUSY_SLOTS);
    return at > before.at && busyMs - before.busyMs >= BUSY * (at - before.at);
  }

  /** Requests a second that were sent; no more than may be by what was sent lately, if chance was against it. */
  #rate({ at, sent }: Look): number {
    const [long, short] = [WINDOW_MS, SHORT_MS].map((ms) => this.#before((look) => look.at <= at - ms));
    if (long === undefined || short === undefined || at === short.at) return 0;
    const lately = sent - short.sent;
    const most = lately + 2 * Math.sqrt(lately) + 2;
    return 1_000 * Math.min((sent - long.sent) / (at - long.at), most / (at - short.at));
  }

  /** The last look that is such, or the first one of all. */
  #before(isSuch: (look: Look) => boolean): Look {
    return this.#looks.findLast(isSuch) ?? this.#looks[0] ?? { at: 0, busyMs: 0, sent: 0 };
  }

  /** Since when somebody has waited for nothing but a slot, whoever it is. */
  #update(now: number): void {
    const isBusy = this.#waiting > 0 && this.#running < this.#maxRunning;
    if (this.#busySince !== undefined && !isBusy) {
      this.#busyMs += now - this.#busySince;
      this.#busySince = undefined;
    }
    if (isBusy) this.#busySince ??= now;
  }
}

/**
 * Slots a second that `rate` requests a second need so as not to wait for long: the one root of W = rate / (2 c (c - rate)),
 * the mean wait in a line served evenly (M/D/1). Source: Pollaczek-Khinchine.
 */
function needed(rate: number): number {
  return Math.max(MORE * rate, (rate + Math.sqrt(rate ** 2 + (2 * rate) / MEAN_WAIT_S)) / 2);
}
