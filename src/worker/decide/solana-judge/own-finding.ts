/** One finding of the worker about a simulation, as the evidence stores it. */
export interface OwnFinding {
  readonly name: string;
  readonly description: string;
  readonly account?: string;
  /** The address that may act on the account from now on. */
  readonly gains?: string;
}
