import { Batch } from "./batch.ts";
import { type BatchEntry, formatOfPart } from "./batch-entry.ts";
import type { Calibrations } from "./calibration/calibration.ts";

/** Which parts may share a request at all, by what calibrating found. */
export class Sharing {
  readonly #calibrations: Calibrations;

  constructor(calibrations: Calibrations) {
    this.#calibrations = calibrations;
  }

  /** Only where canaries show that a request of many is answered like many requests. */
  hasCanaries(part: BatchEntry): boolean {
    return this.#calibrations(part.chain.family, formatOfPart(part))?.canaries !== undefined;
  }

  /**
   * Whether a part cannot even share a request with a canary: its format has none, it names the canaries itself, or they do not
   * fit. @param most items of a request.
   */
  standsAlone(part: BatchEntry, most: number): boolean {
    // Thousands wait that have none when the first request is cut: to try each with a request of its own takes a while.
    return !this.hasCanaries(part) || !new Batch(this.#calibrations, most).add(part);
  }
}
