/** A request in flight. The learner recognizes it by this object when it ends. Milliseconds on a monotonic clock. */
export interface Flight {
  readonly sentAt: number;
}

/**
 * A late answer is awaited for LATE_TIMES times the average time of an answer, and for at least LATE_MS milliseconds.
 */
const LATE_TIMES = 4;
const LATE_MS = 100;
/** Weight of a new answer in the average. */
const NEWEST_SHARE = 0.1;

interface Entry<T> {
  readonly flight: Flight;
  outcome: T | undefined;
}

/**
 * The outcomes of requests in the order in which the requests were sent. Answers that take a second come in any order.
 * A quota is used up, and opens again, in the order of the requests. A request that is late for long delays no other
 * outcome. Its outcome is returned when it comes.
 */
export class SendingOrder<T> {
  readonly #entries: Entry<T>[] = [];
  #meanMs: number | undefined;

  sent(flight: Flight): void {
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.flight.sentAt ?? 0) > flight.sentAt) place--;
    this.#entries.splice(place, 0, { flight, outcome: undefined });
  }

  /** The request will have no outcome. */
  lost(flight: Flight): void {
    const place = this.#entries.findIndex((entry) => entry.flight === flight);
    if (place >= 0) this.#entries.splice(place, 1);
  }

  /** The request was answered. @returns all outcomes that are complete up to now, in order. */
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
