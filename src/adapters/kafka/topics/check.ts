/** One result of a check, for `weir doctor` and for the worker's start. */
export interface CheckedItem {
  /** The subject of the check. */
  readonly check: string;
  readonly ok: true | false | "warn";
  /** Whether the fault vanishes without a change of a setting, so that it does not prevent the start. */
  readonly isPassing?: boolean;
  readonly detail: string;
  /** The remedy; empty when none is needed. */
  readonly remedy: string;
}
