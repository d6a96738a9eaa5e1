/** From the first request without an answer to the next answer: shorter is a hiccup. Chosen: as long as one time-out. */
export const OUTAGE_MS = 10_000;

/**
 * Whether the service answers anything at all. The breaker needs ten events to open; where few come, a service may be
 * silent for long before it does, and be back for long before whoever was put off asks again. Times are milliseconds
 * from any one origin.
 */
export class Silence {
  #since: number | undefined;
  readonly #listeners = new Set<() => void>();

  /** A request had no answer. */
  failed(now: number): void {
    this.#since ??= now;
  }

  /** Something was answered, whatever it was. */
  answered(now: number): void {
    const since = this.#since;
    this.#since = undefined;
    if (since === undefined || now - since < OUTAGE_MS) return;
    const told = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of told) listener();
  }

  /** For how long nothing has been answered that was asked, milliseconds; 0 when the last request was. */
  lastsMs(now: number): number {
    return this.#since === undefined ? 0 : now - this.#since;
  }

  /** Tells `listener` once, with the first answer after an outage. @returns what forgets it. */
  onOver(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
