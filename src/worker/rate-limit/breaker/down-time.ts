import { LONGEST_WAIT_MS } from "./pause.ts";

/**
 * For how long a service has been down, as far as anybody could have found it up: time in which nothing may be sent does
 * not count, nor does what the service announced, up to an hour of an outage. Times are milliseconds from any one origin.
 */
export class DownTime {
  #heldSince: number | undefined;
  /** Of the outage that began at `#since`: how long nothing could be sent, until the last time that it could again. */
  #heldMs = 0;
  #since: number | undefined;
  /** Of the outage that began at `since`: what was announced in all, and until when. */
  #announced = { since: Number.NaN, ms: 0, until: Number.NEGATIVE_INFINITY };

  /** Whether nothing may be sent. */
  get isHeld(): boolean {
    return this.#heldSince !== undefined;
  }

  /** From now on nothing may be sent. */
  hold(now: number): void {
    this.#heldSince ??= now;
  }

  /** From now on something may. @param since when the outage began that lasts still; undefined: there is none. */
  release(since: number | undefined, now: number): void {
    if (since !== undefined) this.#heldMs = this.#heldIn(since, now);
    this.#since = since;
    this.#heldSince = undefined;
  }

  /** @param since when the outage began. */
  lastsMs(since: number, now: number): number {
    return Math.max(0, now - since - this.#heldIn(since, now) - this.#announcedIn(since, now));
  }

  /** The service says that it is down for `ms` from `now` on. @param since when the outage began. */
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
