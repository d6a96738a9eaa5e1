/** What was learned of a key's quota, to begin with next time. */
export interface LearnedQuota {
  /** Requests a second that are sent: a little less than the key may make. */
  readonly perSecond: number;
  /** Requests beyond that which were taken in a row. */
  readonly burst: number;
  /** About as long as the service counts, milliseconds. */
  readonly windowMs: number;
}
