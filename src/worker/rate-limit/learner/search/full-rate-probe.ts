import type { Random } from "../../../../kernel/random.ts";
import { type QuotaPatience, UsedUp } from "../exhausted-quota.ts";
import type { Flight } from "../sending-order.ts";

/**
 * Without a 429 for so long, milliseconds, it begins; one that failed doubles that, up to the last. Chosen: a quota that is
 * given back soon is found within 10 s, and one that is not costs a 429, and the pause that it may ask for, in half a minute.
 */
const FIRST_MS = 8_000;
const LAST_MS = 32_000;
/** And for so many windows. */
const WINDOWS = 2;
/** Slots after which a quota that was used up again is asked whether it is open. */
const SLOTS = 2;

/**
 * Tries now and then whether a key bears all that was given again, at its full pace: a 429 ends the try as soon as the key
 * takes requests again. What goes on at the pace that was learned knows nothing of it.
 * All times are milliseconds on a monotonic clock.
 */
export class CeilingTry {
  readonly #random: Random;
  readonly #leastMs: number;
  #afterMs: number;
  /** When it began, or since when there has been no 429. */
  #since: number;
  #isOn = false;
  #usedUp: UsedUp | undefined;

  constructor(random: Random, windowMs: number, now: number) {
    this.#random = random;
    this.#leastMs = WINDOWS * windowMs;
    this.#afterMs = Math.max(FIRST_MS, this.#leastMs);
    this.#since = now;
  }

  /** Whether a try is going on. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** When it began, where it is going on. */
  get since(): number {
    return this.#since;
  }

  /** Whether it has drawn a 429. */
  get isUsedUp(): boolean {
    return this.#usedUp !== undefined;
  }

  /** As of `UsedUp`. */
  waitMs(now: number): number {
    return this.#usedUp?.waitMs(now) ?? 0;
  }

  /** A 429 came while none was going on. */
  disturbed(now: number): void {
    this.#since = now;
  }

  /** Begins where it has been quiet for long enough. */
  beginIfDue(now: number): void {
    if (now - this.#since < this.#afterMs) return;
    this.#isOn = true;
    this.#since = now;
  }

  /** A request leaves. */
  sent(now: number): Flight {
    const flight = { sentAt: now };
    this.#usedUp?.sent(flight);
    return flight;
  }

  /** A request was taken: the first one after a 429 ends the try. */
  taken(flight: Flight, now: number): void {
    this.#usedUp?.taken(flight, now);
    if (this.#usedUp?.isOpenedBy(flight) !== true) return;
    this.#usedUp = undefined;
    this.#isOn = false;
    this.#since = now;
    this.#afterMs = Math.max(this.#leastMs, Math.min(LAST_MS, 2 * this.#afterMs));
  }

  /** It was not answered. */
  undecided(flight: Flight): void {
    this.#usedUp?.undecided(flight);
  }

  /** @param slotMs how far apart requests left before, milliseconds. */
  refused(flight: Flight, now: number, slotMs: number): void {
    if (this.#usedUp === undefined) this.#usedUp = new UsedUp(flight, now, patienceOf(slotMs), this.#random);
    else this.#usedUp.refused(flight, now);
    this.#usedUp.judged(flight);
  }
}

function patienceOf(slotMs: number): QuotaPatience {
  // Only who asks opens it: what was sent at the full pace may be taken by chance.
  return { firstMs: SLOTS * slotMs, doubles: true, slowMs: slotMs, graceMs: 0, overtakeMs: Number.POSITIVE_INFINITY };
}
