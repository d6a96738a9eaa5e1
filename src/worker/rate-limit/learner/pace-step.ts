/** Share of the permits of a step that must be used. With fewer requests, the step has not tested its rate. */
const MIN_USE = 0.7;

/** A period at one rate, from which the learner draws a conclusion. Times are milliseconds on a monotonic clock. */
export class PaceStep {
  #at = Number.NaN;
  #sent = 0;

  begin(now: number): void {
    this.#at = now;
    this.#sent = 0;
  }

  /** The outcome of a request that was sent at `at` is known. The first request of all begins the first step. */
  sent(at: number): void {
    if (Number.isNaN(this.#at)) this.begin(at);
    if (at >= this.#at) this.#sent++;
  }

  /** Whether the step was long enough, and had enough requests, for a conclusion. */
  isOver(now: number, least: { readonly stepMs: number; readonly stepRequests: number }): boolean {
    return now - this.#at >= least.stepMs && this.#sent >= least.stepRequests;
  }

  /** @param rate requests per second that could have been sent. */
  wasUsed(now: number, rate: number): boolean {
    return !Number.isFinite(rate) || this.#sent >= (MIN_USE * rate * (now - this.#at)) / 1_000;
  }
}
