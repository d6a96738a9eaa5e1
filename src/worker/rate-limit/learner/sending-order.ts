/** A request on its way, as the learner knows it again when it ends. Milliseconds on a monotonic clock. */
export interface Flight {
  readonly sentAt: number;
}

/** So many times as long as answers take on average, and so long at least, one that is late is waited for, milliseconds. */
const LATE_TIMES = 4;
const LATE_MS = 100;
/** Of the average, the part of each new answer. */
const NEWEST_SHARE = 0.1;

interface Entry<T> {
  readonly flight: Flight;
  outcome: T | undefined;
}

/**
 * What became of requests, in the order in which they left: answers that take a second come in any order, and a quota is
 * used up and opens again in the order of what it was asked. One that is late for long holds up nothing: it has its turn
 * when it comes.
 */
export class SendingOrder<T> {
  readonly #entries: Entry<T>[] = [];
  #meanMs: number | undefined;

  sent(flight: Flight): void {
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.flight.sentAt ?? 0) > flight.sentAt) place--;
    this.#entries.splice(place, 0, { flight, outcome: undefined });
  }

  /** It is of no use to wait for it. */
  lost(flight: Flight): void {
    const place = this.#entries.findIndex((entry) => entry.flight === flight);
    if (place >= 0) this.#entries.splice(place, 1);
  }

  /** It was answered. @returns all whose turn has come by that, in their order. */
  answered(flight: Flight, outcome: T, now: number): readonly (readonly [Flight, T])[] {
    const tookMs = now - flight.sentAt;
    this.#meanMs = this.#meanMs === undefined ? tookMs : this.#meanMs + NEWEST_SHARE * (tookMs - this.#meanMs);
    const entry = this.#entries.find((other) => other.flight === flight);
    if (entry === undefined) return [[flight, outcome]];
    entry.outcome = outcome;
    const lateSince = now - Math.max(LATE_MS, LATE_TIMES * this.#meanMs);
    const turns: (readonly [Flight, T])[] = [];
    for (let first = this.#entries[0]; first !== undefined; first = this.#entries[0]) {
      if (first.outcome === undefined && first.flight.sentAt >= lateSince) break;
      if (first.outcome !== undefined) turns.push([first.flight, first.outcome]);
      this.#entries.shift();
    }
    return turns;
  }
}
