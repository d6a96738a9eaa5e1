import { Batch } from "./batch.ts";
import { type BatchEntry, formatOfPart } from "./batch-entry.ts";
import type { CalibrationTable } from "./canary.ts";

/** Which entries may share a request at all, by the results of calibration. */
export class Sharing {
  readonly #calibrations: CalibrationTable;

  constructor(calibrations: CalibrationTable) {
    this.#calibrations = calibrations;
  }

  /** Whether canaries prove that a shared request is answered like single requests. */
  hasCanaries(part: BatchEntry): boolean {
    return this.#calibrations(part.chain.family, formatOfPart(part))?.canaries !== undefined;
  }

  /**
   * Whether an entry cannot even share a request with canaries. Then its format has none, it names the canaries itself,
   * or they do not fit.
   *
   * @param most Limit of items in a request.
   */
  standsAlone(part: BatchEntry, most: number): boolean {
    // Thousands of entries without canaries may wait, and to try each one in a batch would take a while.
    return !this.hasCanaries(part) || !new Batch(this.#calibrations, most).add(part);
  }
}
