import { maxMinShares } from "./max-min.ts";
import { minTimeMs, type Quota } from "./quota.ts";

/** What a process says on the control topic. */
export interface Statement {
  /** The process; another one after each start. */
  readonly member: string;
  /** Requests a second that it could use; Infinity: as many as it gets. */
  readonly demand: number;
  /** How many times the share of others it has; more than 0. */
  readonly weight: number;
}

/** How often a process states its demand, milliseconds, and how long its silence is borne. Source: design, "Pacing". */
export const STATE_EVERY_MS = 2_000;
export const SILENCE_MS = 10_000;
/** A process that does not hear itself stops before the others give its share away. */
const DEAF_MS = 8_000;
/**
 * What one process gives up another one takes only so much later, milliseconds: by then whoever reads the topic has read
 * it. Chosen: twice the longest wait for a fetch.
 */
export const SETTLE_MS = 1_000;
/** Of an equal share, what a process has that wants nothing: an event that comes to it need not wait for a round. */
const IDLE_SHARE = 0.05;

interface Member extends Statement {
  readonly heardAt: number;
}

/**
 * The part of a quota that is one process's own, from what all processes on the key state on one topic. Everybody computes
 * the same from the same statements; nobody leads. All together send no more than `max(Q - N, Q / 2)` in a window: evenly
 * spaced, each of N processes has one request more in some window than its rate says. Where N is more than Q / 2, as many
 * as that send at a time, in turns.
 *
 * A share that shrinks does so at once, one that grows only after `SETTLE_MS`, so that no two count on the same requests.
 * Times are milliseconds on a monotonic clock, but for `wallNow`.
 */
export class SharedQuota {
  readonly #self: string;
  readonly #quota: Quota;
  readonly #members = new Map<string, Member>();
  /** Shares that were computed, since before the last `SETTLE_MS`. */
  #history: readonly { readonly at: number; readonly perSecond: number }[] = [
    { at: Number.NEGATIVE_INFINITY, perSecond: 0 },
  ];

  constructor(self: string, quota: Quota) {
    this.#self = self;
    this.#quota = quota;
  }

  /** Processes that are taken to be there. */
  get members(): number {
    return this.#members.size;
  }

  /** A statement was read from the topic, one's own included. */
  heard(statement: Statement, now: number): void {
    this.#members.set(statement.member, { ...statement, heardAt: now });
  }

  /** A process said that it ends. */
  left(member: string): void {
    this.#members.delete(member);
  }

  /** Requests a second that this process may send from now on. To be asked several times a second. */
  perSecond(now: number, wallNow: number): number {
    for (const [name, { heardAt }] of this.#members) if (now - heardAt > SILENCE_MS) this.#members.delete(name);
    const perSecond = this.#ownShare(now, wallNow);
    const settled = now - SETTLE_MS;
    const since = this.#history.findLastIndex(({ at }) => at <= settled);
    this.#history = [...this.#history.slice(Math.max(0, since)), { at: now, perSecond }];
    return Math.min(...this.#history.map((each) => each.perSecond));
  }

  #ownShare(now: number, wallNow: number): number {
    const own = this.#members.get(this.#self);
    if (own === undefined || now - own.heardAt > DEAF_MS) return 0;
    const everyone = [...this.#members.values()].toSorted((a, b) => (a.member < b.member ? -1 : 1));
    const total = 1_000 / minTimeMs(this.#quota, everyone.length);
    const sending = this.#sending(everyone, wallNow);
    const least = (IDLE_SHARE * total) / sending.length;
    const shares = maxMinShares(
      sending.map(({ demand, weight }) => ({ demand: Math.max(least, demand), weight })),
      total,
    );
    return shares[sending.indexOf(own)] ?? 0;
  }

  /** Those whose turn it is: everybody, as long as each may have a request more than its rate. */
  #sending(everyone: readonly Member[], wallNow: number): readonly Member[] {
    const places = Math.max(1, Math.floor(this.#quota.requests / 2));
    if (everyone.length <= places) return everyone;
    const turnMs = 2 * Math.max(this.#quota.windowMs, STATE_EVERY_MS);
    const first = (Math.floor(wallNow / turnMs) * places) % everyone.length;
    return Array.from({ length: places }, (_, i) => everyone[(first + i) % everyone.length]).filter(
      (each) => each !== undefined,
    );
  }
}
