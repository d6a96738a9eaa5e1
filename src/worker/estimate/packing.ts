import type { AddressFormat } from "../../chains/address-format.ts";
import { quietLog } from "../../kernel/log.ts";
import type { Random } from "../../kernel/retry.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import { BatchCutter } from "../batching/batch-cutter.ts";
import { type BatchEntry, canShareRequests, formatOfPart } from "../batching/batch-entry.ts";
import {
  calibrationOf,
  calibrationPaysFrom,
  calibrationRequests,
  failedCalibrationRequests,
  probesOf,
} from "../batching/calibration/calibration-rules.ts";
import { type QueuedEntry, waitingFor } from "../batching/queue/entry-queue.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../batching/replies/confirm-share.ts";

/**
 * Estimates the requests of poisoning questions with the batcher's own queues. It assumes that the service flags no
 * event, and that a calibration costs as much as with Weir's own shapes. The canaries are the pairs of the weakest
 * probe. A request leaves whenever as many entries wait as events may be in work at once.
 */
export class Packing {
  readonly #queues: BatchCutter;
  /** Entries of batches, queued for confirmation as if each were flagged. */
  readonly #flagged: BatchCutter;
  readonly #window: number;
  readonly #isPooled: boolean;
  /** Entries of each uncalibrated format, until there are enough for a calibration. */
  readonly #early = new Map<AddressFormat, BatchEntry[]>();
  readonly #calibrated = new Set<AddressFormat>();
  #requests = 0;
  #confirmations = 0;
  #unpooled = 0;

  constructor(window: number, random: Random, reach: Pick<ServiceReach, "hasBatches" | "maxItems">) {
    const calibrations = (...[family, format]: Parameters<typeof probesOf>) =>
      calibrationOf(probesOf(family, format)[0], family, format);
    const share = () => new ConfirmShare(CONFIRM_SHARE);
    const queues = () =>
      new BatchCutter(
        calibrations,
        () => 1,
        random,
        share(),
        quietLog,
        () => true,
        reach.maxItems,
      );
    this.#isPooled = canShareRequests(reach);
    this.#queues = queues();
    this.#flagged = queues();
    this.#window = window;
  }

  /**
   * Additional requests, if the service flagged every entry of a batch. Each entry is then confirmed alone, or together
   * with entries of the same users from its batch. Complete after `finish`.
   */
  get confirmations(): number {
    return this.#confirmations;
  }

  /**
   * All requests, if the service flagged no canary, or every target: one request per entry. Complete after `finish`.
   */
  get unpooled(): number {
    return this.#unpooled;
  }

  add(part: BatchEntry): void {
    this.#unpooled++;
    if (!this.#isPooled) {
      this.#requests++;
      return;
    }
    for (const each of this.#calibratedOf(part)) {
      this.#queues.pooled.push(waitingFor(each, ASKER, nobody));
      if (this.#queues.asks >= this.#window) this.#cut();
    }
  }

  /** All requests, including the requests for entries that still wait. */
  finish(): number {
    for (const early of this.#early.values()) this.#requests += early.length;
    while (!this.#queues.isEmpty) this.#cut();
    return this.#requests;
  }

  #cut(): void {
    const cut = this.#queues.cut("backfill");
    if (cut === undefined) return;
    this.#requests++;
    if (cut.kind === "pooled") this.#confirm(cut.waiting);
  }

  /**
   * Confirms the entries of each batch by themselves. In a run, confirmations of several batches may share a request.
   */
  #confirm(waiting: readonly QueuedEntry[]): void {
    for (const { part } of waiting) this.#flagged.confirming.push(waitingFor(part, ASKER, nobody));
    while (!this.#flagged.isEmpty) if (this.#flagged.cut("backfill") !== undefined) this.#confirmations++;
  }

  /** The entry and all entries that waited for its format's calibration. Empty while the format is not calibrated. */
  #calibratedOf(part: BatchEntry): readonly BatchEntry[] {
    const format = formatOfPart(part);
    if (this.#calibrated.has(format)) return [part];
    const early = [...(this.#early.get(format) ?? []), part];
    if (early.length < calibrationPaysFrom(part.chain.family, format)) {
      this.#early.set(format, early);
      return [];
    }
    this.#early.delete(format);
    this.#calibrated.add(format);
    this.#requests += calibrationRequests(part.chain.family, format);
    this.#unpooled += failedCalibrationRequests(part.chain.family, format);
    return early;
  }
}

const ASKER = { lane: "backfill", tenants: [""] } as const;
const nobody = { answered: () => {}, failed: () => {} };
