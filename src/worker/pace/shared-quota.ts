import type { Headroom } from "./headroom.ts";
import { maxMinShares } from "./max-min.ts";
import { minTimeMs, type Quota, spanMs } from "./quota.ts";
import { wholeShares } from "./whole-shares.ts";

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
/** A process that does not hear itself takes less before the others give its share away. */
const DEAF_MS = 8_000;
/** So long after it last heard itself what a process knew of the others counts. Chosen: a broker restarts meanwhile. */
const KNOWN_MS = 60_000;
/** Whoever may write to the topic may name as many. Chosen: far more than share one key. */
const MAX_MEMBERS = 1_000;
/**
 * What one process gives up another one takes only so much later, milliseconds: by then whoever reads the topic has read
 * it. Chosen: twice the longest wait for a fetch.
 */
export const SETTLE_MS = 1_000;
/**
 * For so long the same ones have a request more where it does not come out even, milliseconds: ten windows or more. Chosen:
 * each change leaves it unused for `SETTLE_MS`.
 */
const TURN_MS = 20_000;
/** Of an equal share, what a process has that wants nothing: an event that comes to it need not wait for a round. */
const IDLE_SHARE = 0.05;

interface Member extends Statement {
  readonly heardAt: number;
}

export interface SharedQuotaOptions {
  /** The name of this process. */
  readonly self: string;
  readonly quota: Quota;
  /** Part of the quota that it takes when it knows of nobody: more than 0, at most 1. */
  readonly alone: number;
  /** Whether, and how far, to use more than what is safe. */
  readonly headroom: Pick<Headroom, "isOpen" | "closeness">;
  /** Since when it listens, ticks. */
  readonly since: number;
}

/**
 * The part of a quota that is one process's own, from what all processes on the key state on one topic. Everybody computes
 * the same from the same statements; nobody leads. All together send no more than `max(Q - N, Q / 2)` in a window: evenly
 * spaced, each of N processes has one request more in some window than its rate says. Where N is more than Q / 2, as many
 * as that send at a time, in turns.
 *
 * Where there is headroom a process counts on nearly Q in place of that; one of several in whole requests a window: evenly
 * spaced, so many and no more are in any window, so all of them together have no more than Q while shares stand still. When
 * they change, or some try and others do not, some window may hold one or two more; a 429 sends all of them back.
 *
 * A share that shrinks does so at once, one that grows only after `SETTLE_MS`, so that no two count on the same requests.
 *
 * Who does not hear itself for `DEAF_MS` cannot tell whether the others are silent: it forgets nobody, and takes the part
 * that everybody would have if all wanted all, at most half. After `KNOWN_MS`, and when it never heard itself, it takes
 * `alone`. As many processes as that leaves room for, cut off together, keep to the quota so. One that is cut off by itself
 * does not: the others give its share away, and what it sends too much is answered 429.
 *
 * Times are milliseconds on a monotonic clock, but for `wallNow`.
 */
export class SharedQuota {
  readonly #options: SharedQuotaOptions;
  readonly #members = new Map<string, Member>();
  /** Shares that were computed, since before the last `SETTLE_MS`. */
  #history: readonly { readonly at: number; readonly perSecond: number }[] = [
    { at: Number.NEGATIVE_INFINITY, perSecond: 0 },
  ];

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
  }

  /** Processes that are taken to be there. */
  get members(): number {
    return this.#members.size;
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  /**
   * A statement was read from the topic.
   *
   * @param at when it was read; one's own, when it was sent: whoever reads late does not take what it reads for news.
   */
  heard(statement: Statement, at: number): void {
    const { self } = this.#options;
    const before = this.#members.get(statement.member);
    if (before === undefined && statement.member !== self && this.#members.size >= MAX_MEMBERS) return;
    if (statement.member === self && before !== undefined && at - before.heardAt > DEAF_MS) {
      // The silence was one's own: the others have their time to be heard.
      for (const [name, each] of this.#members) this.#members.set(name, { ...each, heardAt: at });
    }
    this.#members.set(statement.member, { ...statement, heardAt: at });
  }

  /** A process said that it ends, or uses another key. */
  left(member: string): void {
    this.#members.delete(member);
  }

  /** Requests a second that this process may send from now on. To be asked several times a second. */
  perSecond(now: number, wallNow: number): number {
    const perSecond = this.#ownShare(now, wallNow);
    const settled = now - SETTLE_MS;
    const since = this.#history.findLastIndex(({ at }) => at <= settled);
    this.#history = [...this.#history.slice(Math.max(0, since)), { at: now, perSecond }];
    return Math.min(...this.#history.map((each) => each.perSecond));
  }

  #ownShare(now: number, wallNow: number): number {
    const { self, quota, headroom } = this.#options;
    const own = this.#members.get(self);
    if (own === undefined || now - own.heardAt > DEAF_MS) return this.#unheardShare(own, now);
    for (const [name, { heardAt }] of this.#members) if (now - heardAt > SILENCE_MS) this.#members.delete(name);
    const everyone = [...this.#members.values()].toSorted((a, b) => (a.member < b.member ? -1 : 1));
    const areSeveral = everyone.length > 1;
    const span = areSeveral ? spanMs(quota, everyone.length, headroom.closeness) : undefined;
    if (span !== undefined) return this.#wholeShare(everyone, own, span, wallNow);
    const total = 1_000 / minTimeMs(quota, everyone.length, !areSeveral && headroom.isOpen);
    const sending = this.#sending(everyone, wallNow);
    const least = (IDLE_SHARE * total) / sending.length;
    const shares = maxMinShares(
      sending.map(({ demand, weight }) => ({ demand: Math.max(least, demand), weight })),
      total,
    );
    return shares[sending.indexOf(own)] ?? 0;
  }

  /** @param span how long a window is taken to be, milliseconds. */
  #wholeShare(everyone: readonly Member[], own: Member, span: number, wallNow: number): number {
    const { requests } = this.#options.quota;
    const least = (IDLE_SHARE * requests) / everyone.length;
    const turn = Math.floor(wallNow / TURN_MS);
    const shares = wholeShares(
      everyone.map(({ demand, weight }) => ({ demand: Math.max(least, (demand * span) / 1_000), weight })),
      requests,
      turn,
    );
    return (1_000 * (shares[everyone.indexOf(own)] ?? 0)) / span;
  }

  #unheardShare(own: Member | undefined, now: number): number {
    const { quota, alone, since } = this.#options;
    const total = 1_000 / minTimeMs(quota, Math.max(2, this.#members.size));
    if (own === undefined) return now - since > SILENCE_MS ? alone * total : 0;
    if (now - own.heardAt > KNOWN_MS) return alone * total;
    const weights = this.#members.values().reduce((sum, { weight }) => sum + weight, 0);
    return total * Math.min(1 / 2, own.weight / weights);
  }

  /** Those whose turn it is: everybody, as long as each may have a request more than its rate. */
  #sending(everyone: readonly Member[], wallNow: number): readonly Member[] {
    const { requests, windowMs } = this.#options.quota;
    const places = Math.max(1, Math.floor(requests / 2));
    if (everyone.length <= places) return everyone;
    const turnMs = 2 * Math.max(windowMs, STATE_EVERY_MS);
    const first = (Math.floor(wallNow / turnMs) * places) % everyone.length;
    return Array.from({ length: places }, (_, i) => everyone[(first + i) % everyone.length]).filter(
      (each) => each !== undefined,
    );
  }
}
