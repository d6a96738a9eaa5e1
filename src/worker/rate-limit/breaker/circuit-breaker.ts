import { backoffMs, type Random, type RetryPolicy } from "../../../kernel/retry.ts";

/**
 * Failures in a row, about as many different events, that a working service does not produce. Source:
 * docs/decisions/0006-pacing.md.
 */
export const BREAKER_FAILURES = 10;

/**
 * Waits between probes while the circuit breaker is open. Chosen: a recovered service is found within half a minute.
 */
const PROBES: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 1_000, maxMs: 30_000 };

export type BreakerCause = "unauthorized" | "failing";

/** A request that may pass. The circuit breaker recognizes it by this object when the request ends. */
export interface BreakerAdmission {
  /** Milliseconds from the origin of all times of the circuit breaker. */
  readonly at: number;
  /**
   * Whether the request is a health probe. Every other probe is one: it asks no event's question, because all waiting
   * questions may be the ones that fail.
   */
  readonly isKnock: boolean;
}

/**
 * Distinguishes a failing service from an event that the service fails for. While the circuit breaker is closed, every
 * request passes. A refused key, or `BREAKER_FAILURES` failures in a row, opens it. While it is open, one probe passes
 * at a time. Any answer closes it, even the answer to a health probe: the service is up. Later failures count against
 * their events again. The class is pure: the time is a parameter, in milliseconds from any origin.
 *
 * | state | entered when | what happens | left when |
 * | --- | --- | --- | --- |
 * | closed | something was answered | every request passes | the key is refused, or failures in a row open it |
 * | open, waiting | it opened, or a probe failed | no request passes; the wait doubles up to 30 s | the wait is over |
 * | open, probe due | the wait is over | the next request passes as the probe | the probe is sent |
 * | open, probing | a probe is in flight | no other request passes | the probe is answered, fails, or is undecided |
 */
export class CircuitBreaker {
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
        /** The probe in flight. */
        probe: BreakerAdmission | undefined;
      }
    | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Why the circuit breaker is open, and since when. Undefined while it is closed. */
  get open(): { readonly cause: BreakerCause; readonly since: number } | undefined {
    return this.#open;
  }

  /** Milliseconds that the next request must wait. 0: it may go now. Infinity: until the probe in flight ends. */
  waitMs(now: number): number {
    if (this.#open === undefined) return 0;
    if (this.#open.probe !== undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#open.probeAt - now);
  }

  /**
   * Lets a request pass, just before it is sent.
   *
   * @returns undefined when the request may not pass. While the circuit breaker is open, one request at a time passes.
   */
  pass(now: number): BreakerAdmission | undefined {
    if (this.waitMs(now) > 0) return undefined;
    const passage: BreakerAdmission = { at: now, isKnock: this.#open !== undefined && this.#open.probes % 2 === 0 };
    if (this.#open !== undefined) this.#open.probe = passage;
    return passage;
  }

  /** A request was answered. An answer that rejects the question counts, too. */
  answered(): void {
    this.#failures = 0;
    this.#events.clear();
    this.#open = undefined;
  }

  unauthorized(passage: BreakerAdmission, now: number): void {
    this.#fail("unauthorized", passage, now);
  }

  /** A request about these events got no answer. */
  failed(passage: BreakerAdmission, events: Iterable<string>, now: number): void {
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

  /** The service announced that it is down, and for how long. */
  announced(passage: BreakerAdmission, now: number): void {
    this.#fail(this.#open?.cause ?? "failing", passage, now, true);
  }

  /**
   * A request was neither answered nor failed, because it was rate limited or given up. If it was the probe, the next
   * probe may be sent.
   */
  undecided(passage: BreakerAdmission): void {
    if (this.#open?.probe === passage) this.#open.probe = undefined;
  }

  /**
   * The request was never sent. If it was the probe, the next probe may be sent. After a health probe, the next probe
   * asks an event's question: a health probe that cannot be sent now cannot be sent a moment later.
   */
  unsent(passage: BreakerAdmission): void {
    const open = this.#open;
    if (open === undefined || open.probe !== passage) return;
    this.#open = { ...open, probes: open.probes + (passage.isKnock ? 1 : 0), probe: undefined };
  }

  /** @param isAnnounced whether the service itself says when to ask again. The waits do not grow then. */
  #fail(cause: BreakerCause, passage: BreakerAdmission, now: number, isAnnounced = false): void {
    const open = this.#open;
    // A request that was in flight when the circuit breaker opened is no probe. It does not delay the next probe.
    if (open !== undefined && open.probe !== passage) return;
    const probes = (open?.probes ?? 0) + 1;
    const wait = PROBES.baseMs / 2 + backoffMs(PROBES, isAnnounced ? 1 : probes, this.#random);
    this.#open = { cause, since: open?.since ?? now, probes, probeAt: now + wait, probe: undefined };
  }
}
