/** One thing that was looked at, for `weir doctor` and for the worker's start. */
export interface CheckedItem {
  /** What was looked at. */
  readonly check: string;
  readonly ok: true | false | "warn";
  /** Whether it passes without anything being set otherwise: no reason not to start. */
  readonly isPassing?: boolean;
  readonly detail: string;
  /** What to do about it; empty when nothing is to be done. */
  readonly remedy: string;
}
