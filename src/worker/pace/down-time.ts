/**
 * For how long a service has been down, as far as anybody could have found it up: time in which nothing may be sent does
 * not count. Times are milliseconds from any one origin.
 */
export class DownTime {
  #heldSince: number | undefined;
  /** Of the outage that began at `#since`: how long nothing could be sent, until the last time that it could again. */
  #heldMs = 0;
  #since: number | undefined;

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
    return now - since - this.#heldIn(since, now);
  }

  #heldIn(since: number, now: number): number {
    const before = since === this.#since ? this.#heldMs : 0;
    return this.#heldSince === undefined ? before : before + now - Math.max(this.#heldSince, since);
  }
}
