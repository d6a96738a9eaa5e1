/**
 * Shortest outage, from the first request without an answer to the next answer. Chosen: as long as one timeout.
 * Milliseconds.
 */
export const OUTAGE_MS = 10_000;

/**
 * Tracks whether the service answers anything at all. The circuit breaker needs ten events to open. With few events, a
 * service may be silent for long before the circuit breaker opens. Such a service may also be back for long before a
 * postponed event asks again. Times are milliseconds from any one origin.
 */
export class Outage {
  #since: number | undefined;
  readonly #listeners = new Set<() => void>();

  /** A request had no answer. */
  failed(now: number): void {
    this.#since ??= now;
  }

  /** A request was answered, with any result. */
  answered(now: number): void {
    const since = this.#since;
    this.#since = undefined;
    if (since === undefined || now - since < OUTAGE_MS) return;
    const told = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of told) listener();
  }

  /** How long no request has been answered, in milliseconds. 0 when the last request was answered. */
  lastsMs(now: number): number {
    return this.#since === undefined ? 0 : now - this.#since;
  }

  /** Calls `listener` once, with the first answer after an outage. @returns a function that removes the listener. */
  onOver(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
