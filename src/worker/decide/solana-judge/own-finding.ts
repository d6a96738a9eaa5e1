/** What the worker itself finds in a simulation, as the evidence holds it. */
export interface OwnFinding {
  readonly name: string;
  readonly description: string;
  readonly account?: string;
  /** Who may act on the account from now on. */
  readonly gains?: string;
}
