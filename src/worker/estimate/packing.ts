import type { AddressFormat } from "../../chains/address-format.ts";
import { quietLog } from "../../kernel/log.ts";
import type { Random } from "../../kernel/random.ts";
import type { ServiceReach } from "../answers/service-reach.ts";
import { type BatchEntry, canShareRequests, formatOfPart } from "../batching/batch-entry.ts";
import {
  calibrationOf,
  calibrationPaysFrom,
  calibrationRequests,
  failedCalibrationRequests,
  probesOf,
} from "../batching/calibration/calibrate.ts";
import { Queues } from "../batching/queue/queues.ts";
import { type Waiting, waitingFor } from "../batching/queue/waiting.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../batching/replies/confirm-share.ts";

/**
 * How many requests poisoning questions come to, packed by the pool's own queues: as if the service flagged the first
 * canary and nobody else, and a request left whenever as many wait as may be in work at once.
 */
export class Packing {
  readonly #queues: Queues;
  /** Where parts wait that were in a pooled request, as if it had flagged them. */
  readonly #flagged: Queues;
  readonly #window: number;
  readonly #isPooled: boolean;
  /** Parts of each format that is not calibrated, until they are enough for that. */
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
      new Queues(
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
   * Requests more, if the service flagged everybody in a pooled request: each is asked about by itself then, or with those of
   * the same users in that request. Known when all is.
   */
  get confirmations(): number {
    return this.#confirmations;
  }

  /** All requests, if the service flagged no canary, or everybody: each part alone. Known when all is. */
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

  /** All requests, with those for what still waits. */
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

  /** Request by request: where more wait for it, as in a run, more of them share one. */
  #confirm(waiting: readonly Waiting[]): void {
    for (const { part } of waiting) this.#flagged.confirming.push(waitingFor(part, ASKER, nobody));
    while (!this.#flagged.isEmpty) if (this.#flagged.cut("backfill") !== undefined) this.#confirmations++;
  }

  /** The part, once its format is calibrated, with those that waited for that. */
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
