/**
 * How far the meter looks back, in milliseconds. Chosen: one request per second gives ten samples, in place of one or
 * none.
 */
const WINDOW_MS = 10_000;
/** A drop in demand is noticed within this time, in milliseconds. Chosen: as long as a statement stands. */
const SHORT_MS = 2_000;
/**
 * The pace alone holds a process back when requests wait for this share of a period. The period has at least `BUSY_MS`
 * milliseconds and `BUSY_SLOTS` permits. Chosen: with 2 s and 4 permits, processes with occasional requests passed so
 * often that a tenth of a quota lay idle.
 */
const BUSY = 0.9;
const BUSY_MS = 4_000;
const BUSY_SLOTS = 8;
/**
 * A longer wait, in milliseconds, means too few permits for the waiting requests. They should leave within a second.
 */
const LONG_WAIT_MS = 250;
/** Mean wait for a permit, in seconds, that a request at a random time should have. */
const MEAN_WAIT_S = 1;
/**
 * Lowest ratio of demand to requests sent, and the step of stated demands. Shares that change with every statement cost
 * permits.
 */
const MORE = 1.25;
const STEP = 1.05;

interface Look {
  readonly at: number;
  readonly busyMs: number;
  readonly sent: number;
}

/**
 * Estimates how many requests per second a process could send. The basis is the requests that wait for a permit, and
 * the requests that were sent. While all connections are in use, a waiting request waits for an answer and not for a
 * permit. Times are ticks, in milliseconds.
 */
export class DemandMeter {
  readonly #maxRunning: number;
  #waiting = 0;
  #running = 0;
  #sent = 0;
  #busyMs = 0;
  #busySince: number | undefined;
  #looks: readonly Look[] = [];

  /** @param maxRunning requests that can be in flight at once. */
  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** A request begins to wait for a permit. */
  waits(now: number): void {
    this.#waiting++;
    this.#update(now);
  }

  /** A request stops waiting without a permit. */
  leaves(now: number): void {
    this.#waiting--;
    this.#update(now);
  }

  /** A waiting request gets a permit. */
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

  /** Requests per second; Infinity: as many as possible. Must be called several times a second. */
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

  /** Requests per second that were sent. The recent rate limits the result, with an allowance for random variation. */
  #rate({ at, sent }: Look): number {
    const [long, short] = [WINDOW_MS, SHORT_MS].map((ms) => this.#before((look) => look.at <= at - ms));
    if (long === undefined || short === undefined || at === short.at) return 0;
    const lately = sent - short.sent;
    const most = lately + 2 * Math.sqrt(lately) + 2;
    return 1_000 * Math.min((sent - long.sent) / (at - long.at), most / (at - short.at));
  }

  /** The last sample that matches, or else the first sample. */
  #before(isSuch: (look: Look) => boolean): Look {
    return this.#looks.findLast(isSuch) ?? this.#looks[0] ?? { at: 0, busyMs: 0, sent: 0 };
  }

  /** Tracks since when any request has waited for a permit only. */
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
 * Permits per second that `rate` requests per second need for a short wait. This is the root c of W = rate / (2 c (c -
 * rate)), the mean wait in an M/D/1 queue. Source: Pollaczek-Khinchine.
 */
function needed(rate: number): number {
  return Math.max(MORE * rate, (rate + Math.sqrt(rate ** 2 + (2 * rate) / MEAN_WAIT_S)) / 2);
}
