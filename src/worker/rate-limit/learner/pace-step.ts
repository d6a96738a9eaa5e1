/** Of the slots of a step that must be used: whoever asks for less has not tried its rate. */
const MIN_USE = 0.7;

/** A stretch of time at one rate, from which something is concluded. Times are milliseconds on a monotonic clock. */
export class PaceStep {
  #at = Number.NaN;
  #sent = 0;

  begin(now: number): void {
    this.#at = now;
    this.#sent = 0;
  }

  /** What left then is known; the first one of all begins the first step. */
  sent(at: number): void {
    if (Number.isNaN(this.#at)) this.begin(at);
    if (at >= this.#at) this.#sent++;
  }

  /** Whether it has lasted, and sent, as much as means something. */
  isOver(now: number, least: { readonly stepMs: number; readonly stepRequests: number }): boolean {
    return now - this.#at >= least.stepMs && this.#sent >= least.stepRequests;
  }

  /** @param rate requests a second that might have left. */
  wasUsed(now: number, rate: number): boolean {
    return !Number.isFinite(rate) || this.#sent >= (MIN_USE * rate * (now - this.#at)) / 1_000;
  }
}
