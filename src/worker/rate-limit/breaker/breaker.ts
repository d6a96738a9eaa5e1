import type { Random } from "../../../kernel/random.ts";
import { backoffMs, type RetryPolicy } from "../../../kernel/retry.ts";

/** Failures in a row, about as many different events, that a working service does not produce. Source: docs/decisions/0006-pacing.md. */
export const BREAKER_FAILURES = 10;

/** Waits between probes, while it is open. Chosen: a service that comes back is found within half a minute. */
const PROBES: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 1_000, maxMs: 30_000 };

export type BreakerCause = "unauthorized" | "failing";

/** A request that was let pass, as the breaker knows it again when it ends. */
export interface Passage {
  /** Milliseconds, from the same origin as every other time here. */
  readonly at: number;
  /** Whether it is every other probe: those ask the service what no event asks, since all that wait may be what fails. */
  readonly isKnock: boolean;
}

/**
 * Tells a service that fails from an event that it fails for. Closed, everything passes. A refused key, or so many
 * failures in a row, opens it: then nothing passes but one probe at a time, until one is answered. Whatever is answered, if
 * only a knock, closes it: the service is up, and from then on failures are their events' again. Pure but for what it is told:
 * the time comes in, milliseconds from any origin.
 */
export class Breaker {
  readonly #random: Random;
  #failures = 0;
  readonly #events = new Set<string>();
  #open:
    | {
        readonly cause: BreakerCause;
        readonly since: number;
        /** The number of the next probe. */
        readonly probes: number;
        readonly probeAt: number;
        /** The probe that is out. */
        probe: Passage | undefined;
      }
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
    if (this.#open.probe !== undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#open.probeAt - now);
  }

  /** A request is about to be sent. @returns undefined when it may not: of those that waited for a probe one is the first. */
  pass(now: number): Passage | undefined {
    if (this.waitMs(now) > 0) return undefined;
    const passage: Passage = { at: now, isKnock: this.#open !== undefined && this.#open.probes % 2 === 0 };
    if (this.#open !== undefined) this.#open.probe = passage;
    return passage;
  }

  /** Something was answered, if only with a refusal of what was asked. */
  answered(): void {
    this.#failures = 0;
    this.#events.clear();
    this.#open = undefined;
  }

  /** The key was refused. */
  unauthorized(passage: Passage, now: number): void {
    this.#fail("unauthorized", passage, now);
  }

  /** No answer, to a request about these events. */
  failed(passage: Passage, events: Iterable<string>, now: number): void {
    if (this.#open !== undefined) {
      this.#fail(this.#open.cause, passage, now);
      return;
    }
    this.#failures++;
    for (const event of events) {
      if (this.#events.size >= BREAKER_FAILURES) break;
      this.#events.add(event);
    }
    if (this.#failures >= BREAKER_FAILURES && this.#events.size >= BREAKER_FAILURES)
      this.#fail("failing", passage, now);
  }

  /** The service said that it is down, and for how long. */
  announced(passage: Passage, now: number): void {
    this.#fail(this.#open?.cause ?? "failing", passage, now, true);
  }

  /** Neither answered nor failed, because it was limited or given up: where it was the probe, the next one may try. */
  undecided(passage: Passage): void {
    if (this.#open?.probe === passage) this.#open.probe = undefined;
  }

  /**
   * The request was never sent. Where it was the probe, the next one may try; where it was a knock, that next one is about
   * an event: a knock that cannot be sent now cannot be sent a moment later.
   */
  unsent(passage: Passage): void {
    const open = this.#open;
    if (open === undefined || open.probe !== passage) return;
    this.#open = { ...open, probes: open.probes + (passage.isKnock ? 1 : 0), probe: undefined };
  }

  /** @param isAnnounced whether the service says itself when to ask again: then waits do not grow. */
  #fail(cause: BreakerCause, passage: Passage, now: number, isAnnounced = false): void {
    const open = this.#open;
    // What was on its way when it opened is no probe, and does not put one off.
    if (open !== undefined && open.probe !== passage) return;
    const probes = (open?.probes ?? 0) + 1;
    const wait = PROBES.baseMs / 2 + backoffMs(PROBES, isAnnounced ? 1 : probes, this.#random);
    this.#open = { cause, since: open?.since ?? now, probes, probeAt: now + wait, probe: undefined };
  }
}
