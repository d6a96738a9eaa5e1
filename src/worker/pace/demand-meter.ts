/** Of the time that is looked back upon, milliseconds. Chosen: as long as a statement stands. */
const WINDOW_MS = 2_000;
/** From this part of the time on that somebody waited, whoever asks is held back by the pace alone. */
const BUSY = 0.9;
/** A wait for a slot that is longer shows that there are too few, however rarely somebody waits. */
const LONG_WAIT_MS = 250;
/** What is asked for beyond what was sent, and in which steps: shares that change with each statement cost slots. */
const STEP = 1.25;

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
    this.#update(now, false);
  }

  /** One who waited waits no more, and got no slot. */
  leaves(now: number): void {
    this.#waiting--;
    this.#update(now, false);
  }

  /** A slot came for one who waited. */
  begins(now: number): void {
    this.#waiting--;
    this.#running++;
    this.#sent++;
    this.#update(now, true);
  }

  /** A request was answered, or failed. */
  ends(now: number): void {
    this.#running--;
    this.#update(now, false);
  }

  /** Requests a second; Infinity: as many as it gets. To be asked several times a second. */
  perSecond(now: number): number {
    const sinceMs = this.#busySince === undefined ? 0 : now - this.#busySince;
    const look = { at: now, busyMs: this.#busyMs + sinceMs, sent: this.#sent };
    const first = this.#looks.findLastIndex(({ at }) => at <= now - WINDOW_MS);
    this.#looks = [...this.#looks.slice(Math.max(0, first)), look];
    const [before = look] = this.#looks;
    const passedMs = now - before.at;
    if (sinceMs >= LONG_WAIT_MS) return Number.POSITIVE_INFINITY;
    if (passedMs === 0) return 0;
    if (look.busyMs - before.busyMs >= BUSY * passedMs) return Number.POSITIVE_INFINITY;
    const sent = (1_000 * (look.sent - before.sent)) / passedMs;
    return sent === 0 ? 0 : STEP ** (Math.ceil(Math.log(sent) / Math.log(STEP)) + 1);
  }

  /** Since when whoever is first now has waited for nothing but a slot. */
  #update(now: number, isAnother: boolean): void {
    const isBusy = this.#waiting > 0 && this.#running < this.#maxRunning;
    if (this.#busySince !== undefined && (!isBusy || isAnother)) {
      this.#busyMs += now - this.#busySince;
      this.#busySince = undefined;
    }
    if (isBusy) this.#busySince ??= now;
  }
}
