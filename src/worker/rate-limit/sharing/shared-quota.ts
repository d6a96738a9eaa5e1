import { selectActiveSenders } from "./active-senders.ts";
import { fairWeights } from "./fair-weights.ts";
import type { Headroom } from "./headroom.ts";
import { type Demand, maxMinShares } from "./max-min.ts";
import { aloneMinTimeMs, minTimeMs, type Quota, spanMs } from "./quota.ts";
import { wholeShares } from "./whole-shares.ts";

/** What a process says on the control topic. */
export interface Statement {
  /** The process; another one after each start. */
  readonly member: string;
  /** Requests a second that it could use; Infinity: as many as it gets. */
  readonly demand: number;
  /** How many times the share of others it has; more than 0. */
  readonly weight: number;
  /** Grows with each statement of a member. */
  readonly sequence: number;
}

/** How often a process states its demand, milliseconds, and how long its silence is borne. Source: docs/decisions/0006-pacing.md. */
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
 * For so many statements of each the same ones have a request more where it does not come out even: 20 s, ten windows or
 * more. Chosen: each change leaves it unused for `SETTLE_MS`.
 */
const TURN_ROUNDS = 10;
/** Sums of numbers below it are exact, whatever anybody states. */
const MANY_STATEMENTS = 2 ** 20;
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
  readonly headroom: Pick<Headroom, "alone" | "closeness">;
  /** Since when it listens, ticks. */
  readonly since: number;
}

/**
 * The part of a quota that is one process's own, from what all processes on the key state on one topic. Everybody computes
 * the same from the same statements; nobody leads. N of them may send at a time: all that want something, and of those that
 * want little as many as a reserve has places for (`places`). All together send no more than `max(Q - N, Q / 2)` in a
 * window: evenly spaced, each of N processes has one request more in some window than its rate says. Where N would be more
 * than Q / 2, as many as that send at a time, in turns.
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
 * Times are milliseconds on a monotonic clock; turns are counted in statements.
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
  perSecond(now: number): number {
    const perSecond = this.#ownShare(now);
    const settled = now - SETTLE_MS;
    const since = this.#history.findLastIndex(({ at }) => at <= settled);
    this.#history = [...this.#history.slice(Math.max(0, since)), { at: now, perSecond }];
    return Math.min(...this.#history.map((each) => each.perSecond));
  }

  #ownShare(now: number): number {
    const { self, quota, headroom } = this.#options;
    const own = this.#members.get(self);
    if (own === undefined || now - own.heardAt > DEAF_MS) return this.#unheardShare(own, now);
    for (const [name, { heardAt }] of this.#members) if (now - heardAt > SILENCE_MS) this.#members.delete(name);
    if (this.#members.size === 1) return 1_000 / aloneMinTimeMs(quota, headroom.alone);
    const everyone = [...this.#members.values()].toSorted((a, b) => (a.member < b.member ? -1 : 1));
    const weights = fairWeights(everyone.map(({ weight }) => weight));
    const sharers = everyone.map(({ demand }, i) => ({ demand, weight: weights[i] ?? 1 }));
    const demands = sharers.map(({ demand }) => demand);
    const round = roundOf(everyone);
    const { sending, senders } = selectActiveSenders(demands, { quota, round });
    const those = sending.flatMap((i) => sharers[i] ?? []);
    const shares = this.#wholeShares(those, round) ?? this.#safeShares(those, senders);
    return shares[sending.indexOf(everyone.indexOf(own))] ?? 0;
  }

  /** Requests a second of those who may send; undefined: nothing is gained by whole requests. */
  #wholeShares(those: readonly Demand[], round: number): readonly number[] | undefined {
    const { quota, headroom } = this.#options;
    const span = spanMs(quota, those.length, headroom.closeness);
    if (span === undefined) return undefined;
    const wanted = those.map(({ demand, weight }) => ({ demand: (demand * span) / 1_000, weight }));
    const shares = wholeShares(wanted, quota.requests, Math.floor(round / TURN_ROUNDS));
    return shares.map((share) => (1_000 * share) / span);
  }

  /**
   * So that no window holds more than the quota, however late each request is: all that the senders' rates say, and one more of
   * each. Where that leaves less than half, each has one request a window, and may have another one for that.
   */
  #safeShares(those: readonly Demand[], senders: number): readonly number[] {
    const { quota } = this.#options;
    const { requests, windowMs } = quota;
    const total = 1_000 / minTimeMs(quota, senders);
    const least = (IDLE_SHARE * total) / those.length;
    const most = senders > requests / 2 ? 1_000 / windowMs : Number.POSITIVE_INFINITY;
    const wanted = those.map(({ demand, weight }) => ({ demand: Math.min(most, Math.max(least, demand)), weight }));
    return maxMinShares(wanted, total);
  }

  #unheardShare(own: Member | undefined, now: number): number {
    const { quota, alone, since, self } = this.#options;
    const total = 1_000 / minTimeMs(quota, Math.max(2, this.#members.size));
    if (own === undefined) return now - since > SILENCE_MS ? alone * total : 0;
    if (now - own.heardAt > KNOWN_MS) return alone * total;
    const names = [...this.#members.keys()];
    const weights = fairWeights([...this.#members.values()].map(({ weight }) => weight));
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    return total * Math.min(1 / 2, (weights[names.indexOf(self)] ?? 0) / all);
  }
}

/**
 * How many statements everybody has made, on average: all agree on it, whatever their clocks say. That of all, so that nobody
 * who states always the same number can hold a turn.
 */
function roundOf(everyone: readonly Statement[]): number {
  return everyone.reduce((sum, { sequence }) => sum + (sequence % MANY_STATEMENTS), 0) / everyone.length;
}
