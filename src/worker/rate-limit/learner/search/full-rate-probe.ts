import type { Random } from "../../../../kernel/retry.ts";
import { ExhaustedQuota, type QuotaPatience } from "../exhausted-quota.ts";
import type { Flight } from "../sending-order.ts";

/**
 * A try begins after this time without a 429, milliseconds. A failed try doubles the time, up to LAST_MS. Chosen: a
 * quota that is soon restored is found within 10 s. Otherwise a try costs a 429, and the pause that it may ask for,
 * every half minute.
 */
const FIRST_MS = 8_000;
const LAST_MS = 32_000;
/** A try also waits for this many windows without a 429. */
const WINDOWS = 2;
/** Gaps after which a quota that is used up again is probed. */
const SLOTS = 2;

/**
 * Tries now and then whether a key accepts the full configured rate again. After a 429, the try ends as soon as the key
 * accepts requests again. The learner of the reduced rate does not observe the try. All times are milliseconds on a
 * monotonic clock.
 */
export class FullRateProbe {
  readonly #random: Random;
  readonly #leastMs: number;
  #afterMs: number;
  /** When the current try began, or else since when no 429 has come. */
  #since: number;
  #isOn = false;
  #usedUp: ExhaustedQuota | undefined;

  constructor(random: Random, windowMs: number, now: number) {
    this.#random = random;
    this.#leastMs = WINDOWS * windowMs;
    this.#afterMs = Math.max(FIRST_MS, this.#leastMs);
    this.#since = now;
  }

  /** Whether a try is running. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** When the current try began, or else since when no 429 has come. */
  get since(): number {
    return this.#since;
  }

  /** Whether the try has drawn a 429. */
  get isUsedUp(): boolean {
    return this.#usedUp !== undefined;
  }

  /** Milliseconds that the next request must wait. Infinity: until the probe in flight is answered. */
  waitMs(now: number): number {
    return this.#usedUp?.waitMs(now) ?? 0;
  }

  /** A 429 came while no try was running. */
  disturbed(now: number): void {
    this.#since = now;
  }

  /** Begins a try after enough time without a 429. */
  beginIfDue(now: number): void {
    if (now - this.#since < this.#afterMs) return;
    this.#isOn = true;
    this.#since = now;
  }

  /** A request is sent. */
  sent(now: number): Flight {
    const flight = { sentAt: now };
    this.#usedUp?.sent(flight);
    return flight;
  }

  /** A request was accepted. The first accepted request after a 429 ends the try. */
  taken(flight: Flight, now: number): void {
    this.#usedUp?.taken(flight, now);
    if (this.#usedUp?.isOpenedBy(flight) !== true) return;
    this.#usedUp = undefined;
    this.#isOn = false;
    this.#since = now;
    this.#afterMs = Math.max(this.#leastMs, Math.min(LAST_MS, 2 * this.#afterMs));
  }

  /** The request was not answered. */
  undecided(flight: Flight): void {
    this.#usedUp?.undecided(flight);
  }

  /** @param slotMs gap between requests before the try, milliseconds. */
  refused(flight: Flight, now: number, slotMs: number): void {
    if (this.#usedUp === undefined) this.#usedUp = new ExhaustedQuota(flight, now, patienceOf(slotMs), this.#random);
    else this.#usedUp.refused(flight, now);
    this.#usedUp.judged(flight);
  }
}

function patienceOf(slotMs: number): QuotaPatience {
  // Only a probe opens the quota. Earlier requests at the full pace may be accepted by chance.
  return { firstMs: SLOTS * slotMs, doubles: true, slowMs: slotMs, graceMs: 0, overtakeMs: Number.POSITIVE_INFINITY };
}
