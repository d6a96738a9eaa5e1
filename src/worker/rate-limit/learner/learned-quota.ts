/** The learned properties of a key's quota. The next start begins with these values. */
export interface LearnedQuota {
  /** Requests per second that are sent: slightly less than the key may make. */
  readonly perSecond: number;
  /** Requests beyond that rate that were accepted in a row. */
  readonly burst: number;
  /** Approximate length of the service's window, milliseconds. */
  readonly windowMs: number;
}
