/** Refusals without an answer, and the time since the first, after which the gate knocks. Chosen: rare under real load. */
const KNOCK_REFUSALS = 3;
const KNOCK_MS = 10_000;
/** Without an answer for so long, the operator is told, and again every so often. Chosen: as `SERVICE_PATIENCE`, milliseconds. */
const TELL_MS = 30_000;
const TELL_AGAIN_MS = 60_000;

/**
 * For how long the service has refused every event for load. The events that are left may all be refused for themselves: a
 * knock, which asks what no event asks, tells them from a used-up quota. Times are milliseconds from any one origin.
 */
export class RefusedTime {
  /** The first refusal since an event was answered. */
  #since: number | undefined;
  #refusals = 0;
  /** The first refusal since anything was answered, and when the operator is told next. */
  #silent: { readonly since: number; tellAt: number } | undefined;

  /** @returns for how long nothing was answered, milliseconds, where the operator is to be told; undefined: nothing to tell. */
  refused(now: number): number | undefined {
    this.#refusals++;
    this.#since ??= now;
    this.#silent ??= { since: now, tellAt: now + TELL_MS };
    if (now < this.#silent.tellAt) return undefined;
    this.#silent.tellAt = now + TELL_AGAIN_MS;
    return now - this.#silent.since;
  }

  answered({ isKnock }: { readonly isKnock: boolean }): void {
    this.#refusals = 0;
    this.#silent = undefined;
    if (!isKnock) this.#since = undefined;
  }

  /** Whether the next request is to be a knock. At least three requests of events follow each. */
  takesKnock(now: number): boolean {
    if (this.#since === undefined || now - this.#since < KNOCK_MS || this.#refusals < KNOCK_REFUSALS) return false;
    this.#refusals = 0;
    return true;
  }
}
