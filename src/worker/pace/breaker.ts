import type { Random } from "../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../kernel/retry.ts";

/** Failures in a row, about as many different events, that a working service does not produce. Source: design, "Pacing". */
export const BREAKER_FAILURES = 10;

/** Waits between probes, while it is open. Chosen: a service that comes back is found within half a minute. */
const PROBES: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 1_000, maxMs: 30_000 };

export type BreakerCause = "unauthorized" | "failing";

/**
 * Tells a service that fails from an event that it fails for. Closed, everything passes. A refused key, or so many
 * failures in a row, opens it: then nothing passes but one probe at a time, until one is answered. Pure but for what it
 * is told: the time comes in, milliseconds from any origin.
 */
export class Breaker {
  readonly #random: Random;
  #failures = 0;
  readonly #events = new Set<string>();
  #open:
    | { readonly cause: BreakerCause; readonly since: number; probes: number; probeAt: number; probing: boolean }
    | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Why it is open, and since when; undefined while it is closed. */
  get open(): { readonly cause: BreakerCause; readonly since: number } | undefined {
    return this.#open;
  }

  /** How long the next request must wait, milliseconds; 0: it may go now; Infinity: until the probe is back. */
  waitMs(now: number): number {
    if (this.#open === undefined) return 0;
    if (this.#open.probing) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#open.probeAt - now);
  }

  /** A request is about to be sent. @returns whether it may: of those that waited for a probe one is the first. */
  pass(now: number): boolean {
    if (this.waitMs(now) > 0) return false;
    if (this.#open !== undefined) this.#open.probing = true;
    return true;
  }

  /** Something was answered, if only with a refusal of what was asked. */
  answered(): void {
    this.#failures = 0;
    this.#events.clear();
    this.#open = undefined;
  }

  /** The key was refused. */
  unauthorized(now: number): void {
    this.#fail("unauthorized", now);
  }

  /** No answer, to a request about these events. */
  failed(events: Iterable<string>, now: number): void {
    if (this.#open !== undefined) {
      this.#fail(this.#open.cause, now);
      return;
    }
    this.#failures++;
    for (const event of events) {
      if (this.#events.size >= BREAKER_FAILURES) break;
      this.#events.add(event);
    }
    if (this.#failures >= BREAKER_FAILURES && this.#events.size >= BREAKER_FAILURES) this.#fail("failing", now);
  }

  /** A probe that was neither answered nor failed, because it was limited or given up: the next one may try. */
  undecided(): void {
    if (this.#open !== undefined) this.#open.probing = false;
  }

  #fail(cause: BreakerCause, now: number): void {
    const open = this.#open ?? { cause, since: now, probes: 0, probeAt: now, probing: false };
    // What was on its way when it opened is no probe, and does not put one off.
    if (this.#open !== undefined && !open.probing) return;
    open.probes++;
    open.probing = false;
    const wait = PROBES.baseMs / 2 + backoffMs(PROBES, open.probes, this.#random);
    this.#open = { ...open, cause, probeAt: now + wait };
  }
}
