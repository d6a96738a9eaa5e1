import { type AddressFormat, formatOf } from "../../chains/address-format.ts";
import type { Random } from "../../kernel/random.ts";
import { calibrationOf, probesOf } from "../poisoning-pool/calibrate.ts";
import { places } from "../poisoning-pool/calibration.ts";
import { CONFIRM_SHARE, ConfirmShare } from "../poisoning-pool/confirm-share.ts";
import type { Part } from "../poisoning-pool/part.ts";
import { Queues } from "../poisoning-pool/queues.ts";
import { waitingFor } from "../poisoning-pool/waiting.ts";

/** What it takes to find out whether a service flags the canaries: each pair with its user, and with nobody. */
const CALIBRATION = 2 * places.length;

/**
 * How many requests poisoning questions come to, packed by the pool's own queues: as if the service flagged the first
 * canary and nobody else, and a request left whenever as many wait as may be in work at once.
 */
export class Packing {
  readonly #queues: Queues;
  readonly #window: number;
  /** Parts that came by before their format was calibrated. */
  readonly #before = new Map<AddressFormat, number>();
  #requests = 0;

  constructor(window: number, random: Random) {
    const calibrations = (...[family, format]: Parameters<typeof probesOf>) =>
      calibrationOf(probesOf(family, format)[0], family, format);
    this.#queues = new Queues(calibrations, () => 1, random, new ConfirmShare(CONFIRM_SHARE));
    this.#window = window;
  }

  add(part: Part): void {
    if (!this.#isCalibratedFor(part)) return;
    this.#queues.pooled.push(waitingFor(part, ASKER, nobody));
    if (this.#queues.asks >= this.#window) this.#cut();
  }

  /** All requests, with those for what still waits. */
  finish(): number {
    while (!this.#queues.isEmpty) this.#cut();
    return this.#requests;
  }

  #cut(): void {
    if (this.#queues.cut("backfill") !== undefined) this.#requests++;
  }

  /** The first parts of a format are asked alone; only when they are as many as its probes does it pay to calibrate. */
  #isCalibratedFor({ chain, target }: Part): boolean {
    const format = formatOf(chain.family, target);
    const parts = this.#before.get(format) ?? 0;
    const probes = probesOf(chain.family, format).length;
    if (parts > probes) return true;
    this.#before.set(format, parts + 1);
    this.#requests += parts === probes ? CALIBRATION : 1;
    return parts === probes;
  }
}

const ASKER = { lane: "backfill", tenant: "" } as const;
const nobody = { answered: () => {}, failed: () => {} };
