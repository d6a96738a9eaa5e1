import { selectActiveSenders } from "./active-senders.ts";
import { fairWeights } from "./fair-weights.ts";
import type { Headroom } from "./headroom.ts";
import { type Demand, maxMinShares } from "./max-min.ts";
import { aloneMinTimeMs, minTimeMs, type Quota, spanMs } from "./quota.ts";
import { wholeShares } from "./whole-shares.ts";

/** A statement of a process on the control topic. */
export interface Statement {
  /** Unique name of the process. A restart changes it. */
  readonly member: string;
  /** Requests per second that the process could use. Infinity: as many as possible. */
  readonly demand: number;
  /** Weight of the process relative to others; more than 0. */
  readonly weight: number;
  /** Grows with each statement of a member. */
  readonly sequence: number;
}

/**
 * How often a process states its demand, and how long its silence is tolerated, in milliseconds. Source:
 * docs/decisions/0006-pacing.md.
 */
export const STATE_EVERY_MS = 2_000;
export const SILENCE_MS = 10_000;
/**
 * A process that does not read its own statements lowers its rate before the others give its share away. Milliseconds.
 */
const DEAF_MS = 8_000;
/**
 * How long the last known members count after a process last read its own statement, in milliseconds. Chosen: a broker
 * restart takes less.
 */
const KNOWN_MS = 60_000;
/**
 * Limit on the number of members, because any writer of the topic may name any number. Chosen: far more than share one
 * key.
 */
const MAX_MEMBERS = 1_000;
/**
 * Delay before one process takes what another gives up, in milliseconds. Every reader of the topic has read the
 * statement by then. Chosen: twice the longest wait for a fetch.
 */
export const SETTLE_MS = 1_000;
/**
 * The same processes keep the remainder of an uneven division for this many statements each: 20 s, ten windows or more.
 * Chosen: each change leaves the remainder unused for `SETTLE_MS`.
 */
const TURN_ROUNDS = 10;
/** Sums of numbers below it are exact, whatever numbers the processes state. */
const MANY_STATEMENTS = 2 ** 20;
/** Share of an idle process, relative to an equal share. A new event then need not wait for a round of statements. */
const IDLE_SHARE = 0.05;

interface Member extends Statement {
  readonly heardAt: number;
}

export interface SharedQuotaOptions {
  /** The name of this process. */
  readonly self: string;
  readonly quota: Quota;
  /** Share of the quota for a process that knows of no other: more than 0, at most 1. */
  readonly alone: number;
  /** Whether, and how far, to exceed the safe rate. */
  readonly headroom: Pick<Headroom, "alone" | "closeness">;
  /** When the process began to read the topic, in ticks. */
  readonly since: number;
}

/**
 * Computes one process's share of a quota from the statements of all processes on the key. All processes compute the
 * same shares from the same statements, and none leads. N processes may send at a time: those with demand, and as many
 * with little demand as the reserve has room for (`selectActiveSenders`). All processes together send at most
 * `max(Q - N, Q / 2)` requests in a window. Evenly spaced, each of N processes has one request more in some windows
 * than its rate says. Where N would exceed Q / 2, fewer processes send at a time, in turns.
 *
 * Where there is headroom, a process counts on nearly Q. Several processes then have shares of whole requests per
 * window. Evenly spaced, no window holds more, so all processes together stay within Q while shares are constant. When
 * shares change, or only some processes try more, a window may hold one or two requests more. A 429 sends all processes
 * back.
 *
 * A share shrinks at once, and grows only after `SETTLE_MS`. Two processes therefore never count on the same requests.
 *
 * A process that does not read its own statements for `DEAF_MS` cannot tell whether the others are silent. It forgets
 * no process. It takes the share that it would have if all processes wanted everything, and at most half of the quota.
 * After `KNOWN_MS`, or if it never read its own statement, it takes `alone`. Processes that are cut off together stay
 * within the quota, if `alone` leaves room for their number. A process that is cut off by itself may exceed the quota,
 * because the others give its share away. Its surplus requests get 429s.
 *
 * Times are milliseconds on a monotonic clock. Turns are counted in statements.
 */
export class SharedQuota {
  readonly #options: SharedQuotaOptions;
  readonly #members = new Map<string, Member>();
  /** The computed shares, from before the last `SETTLE_MS` until now. */
  #history: readonly { readonly at: number; readonly perSecond: number }[] = [
    { at: Number.NEGATIVE_INFINITY, perSecond: 0 },
  ];

  constructor(options: SharedQuotaOptions) {
    this.#options = options;
  }

  /** Number of processes that are considered present. */
  get members(): number {
    return this.#members.size;
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  /**
   * Processes a statement from the topic.
   *
   * @param at when the statement was read. For an own statement: when it was sent, since a late reader reads old
   *   statements.
   */
  heard(statement: Statement, at: number): void {
    const { self } = this.#options;
    const before = this.#members.get(statement.member);
    if (before === undefined && statement.member !== self && this.#members.size >= MAX_MEMBERS) return;
    if (statement.member === self && before !== undefined && at - before.heardAt > DEAF_MS) {
      // This process itself could not read. The other processes get a new period before they count as silent.
      for (const [name, each] of this.#members) this.#members.set(name, { ...each, heardAt: at });
    }
    this.#members.set(statement.member, { ...statement, heardAt: at });
  }

  /** A process stated that it ends, or that it uses another key. */
  left(member: string): void {
    this.#members.delete(member);
  }

  /** Requests per second that this process may send from now on. Must be called several times a second. */
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

  /** Requests per second of each sender. Undefined: whole requests gain nothing. */
  #wholeShares(those: readonly Demand[], round: number): readonly number[] | undefined {
    const { quota, headroom } = this.#options;
    const span = spanMs(quota, those.length, headroom.closeness);
    if (span === undefined) return undefined;
    const wanted = those.map(({ demand, weight }) => ({ demand: (demand * span) / 1_000, weight }));
    const shares = wholeShares(wanted, quota.requests, Math.floor(round / TURN_ROUNDS));
    return shares.map((share) => (1_000 * share) / span);
  }

  /**
   * Shares for which no window holds more than the quota, however late each request is. Each sender's rate is counted
   * with one request more per window. If that leaves less than half of the quota, each sender has one request per
   * window, and one more as the allowance.
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
 * The average number of statements per process. All processes agree on it, whatever their clocks say. The average keeps
 * a process from holding a turn by stating the same number again and again.
 */
function roundOf(everyone: readonly Statement[]): number {
  return everyone.reduce((sum, { sequence }) => sum + (sequence % MANY_STATEMENTS), 0) / everyone.length;
}
