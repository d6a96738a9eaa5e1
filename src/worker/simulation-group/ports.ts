/** The right to send a request, given out at the rate that the service can bear. */
export interface Slots {
  /**
   * Runs `job` once it may send its one request, and gives what it gives. What `job` throws passes through, so that
   * the pace can follow from it. Nothing is retried below this.
   */
  run<T>(job: () => Promise<T>): Promise<T>;
}

/** Who waits for an answer. */
export interface Asker {
  /** Ends the wait; the request itself is given up once nobody waits for it any more. */
  readonly signal: AbortSignal;
  /** Told of each request that carries the question, just before it is sent. */
  onSent(): void;
}
