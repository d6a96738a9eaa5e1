import { LONGEST_WAIT_MS } from "../gate/pause.ts";

/**
 * Measures how long a service has been down. Time in which the worker could not have found the service up does not
 * count. Such times are holds, and announced down time, up to an hour of an outage. Times are milliseconds from any one
 * origin.
 */
export class DownTime {
  #heldSince: number | undefined;
  /** Time on hold during the outage that began at `#since`, up to the last release. */
  #heldMs = 0;
  #since: number | undefined;
  /** The announced down time of the outage that began at `since`: its total, and its end. */
  #announced = { since: Number.NaN, ms: 0, until: Number.NEGATIVE_INFINITY };

  /** Whether no request may be sent. */
  get isHeld(): boolean {
    return this.#heldSince !== undefined;
  }

  /** From now on no request may be sent. */
  hold(now: number): void {
    this.#heldSince ??= now;
  }

  /** From now on requests may be sent. @param since when the current outage began; undefined: there is no outage. */
  release(since: number | undefined, now: number): void {
    if (since !== undefined) this.#heldMs = this.#heldIn(since, now);
    this.#since = since;
    this.#heldSince = undefined;
  }

  /** @param since when the outage began. @returns the length of the outage so far, milliseconds. */
  lastsMs(since: number, now: number): number {
    return Math.max(0, now - since - this.#heldIn(since, now) - this.#announcedIn(since, now));
  }

  /** The service announces that it is down for `ms` from `now` on. @param since when the outage began. */
  announce(since: number, ms: number, now: number): void {
    const before = since === this.#announced.since ? this.#announced : { ms: 0, until: now };
    const until = Math.max(before.until, now + ms);
    this.#announced = { since, ms: before.ms + until - Math.max(before.until, now), until };
  }

  #announcedIn(since: number, now: number): number {
    const { ms, until, since: of } = this.#announced;
    return since === of ? Math.min(LONGEST_WAIT_MS, ms - Math.max(0, until - now)) : 0;
  }

  #heldIn(since: number, now: number): number {
    const before = since === this.#since ? this.#heldMs : 0;
    return this.#heldSince === undefined ? before : before + now - Math.max(this.#heldSince, since);
  }
}
