import type { Clock } from "../../../kernel/clock.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { type QuotaStatement, readStatement, statementBytes } from "../../../messages/quota-statement.ts";
import type { Slots } from "../../ports.ts";
import type { DemandMeter } from "./demand-meter.ts";
import type { Headroom } from "./headroom.ts";
import type { Quota } from "./quota.ts";
import { SharedQuota, STATE_EVERY_MS } from "./shared-quota.ts";
import { SuspiciousStatements } from "./suspicious-statements.ts";

export interface QuotaMemberDeps {
  /** Unique name of this process. A restart changes it. */
  readonly member: string;
  readonly quota: Quota;
  readonly weight: number;
  /** Share of the quota for a process that knows of no other, as in `SharedQuotaOptions`: more than 0, at most 1. */
  readonly alone: number;
  readonly headroom: Pick<Headroom, "alone" | "closeness" | "refusals" | "refusedElsewhere">;
  /** The mark that processes with the same key share: `keyMark` of the key in use. */
  readonly mark: () => string;
  readonly meter: Pick<DemandMeter, "perSecond">;
  readonly slots: Pick<Slots, "pace">;
  readonly clock: Clock;
  readonly log: Log;
  /** Writes a record to the control topic. @throws when the write is not confirmed. */
  readonly write: (key: string, value: Uint8Array) => Promise<void>;
}

/** Interval at which the share and the demand are checked, in milliseconds. */
const LOOK_MS = 250;
/**
 * A process states a sudden demand, or a 429, at once. The statement comes at least this time after the last one.
 * Milliseconds.
 */
const SOONEST_MS = 500;
/**
 * The gap between permits while none may come, in milliseconds. Longer than any run, shorter than the longest timer.
 */
const CLOSED_MS = 2 ** 30;
/** A demand of more than this many times the stated demand is stated at once. */
const MUCH_MORE = 2;
/** A share that grows by a smaller factor is ignored, because each change of a pace costs half a permit. */
const NEWS = 1.02;
/** Largest number of own statements that were sent and not yet read. */
const MAX_UNREAD = 64;

/**
 * One of the processes that share a quota. It states its demand, reads the statements of the others, and paces its
 * permits by its share. No failure here stops the permits for good. A process that reads no statements goes on as
 * `SharedQuota` says.
 */
export class QuotaMember {
  readonly #deps: QuotaMemberDeps;
  readonly #shared: SharedQuota;
  readonly #odd: SuspiciousStatements;
  /** When own statements were sent, by sequence number. */
  readonly #sentAt = new Map<number, number>();
  #sequence = 0;
  #stated = { at: Number.NEGATIVE_INFINITY, demand: 0, refusals: 0 };
  /** The number of 429s that each other process stated last. */
  readonly #refusals = new Map<string, number>();
  #isWriting = false;
  #isCutOff = false;
  #perSecond = 0;

  constructor(deps: QuotaMemberDeps) {
    const { member, quota, alone, headroom, clock, slots, log } = deps;
    this.#deps = deps;
    this.#shared = new SharedQuota({ self: member, quota, alone, headroom, since: clock.ticks() });
    this.#odd = new SuspiciousStatements(quota, log);
    slots.pace(CLOSED_MS);
  }

  /** Most requests per second that this process sends. 0: it waits for its turn. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Number of processes that share the quota, this one included. 0: the process has not read its own statement yet. */
  get members(): number {
    return this.#shared.members;
  }

  /** Processes a record of the topic. The records must come in the order of the topic. */
  read(value: Uint8Array | undefined): void {
    const statement = readStatement(value);
    if (statement === undefined) return;
    // The last statement counts, whatever its sequence number. Otherwise one wrong number would silence its process for
    // good.
    const { member, sequence, demand, weight } = statement;
    if (statement.key !== this.#deps.mark() || statement.leaves) {
      this.#refusals.delete(member);
      this.#shared.left(member);
      return;
    }
    const at = member === this.#deps.member ? this.#sentAt.get(sequence) : this.#deps.clock.ticks();
    if (at === undefined) return;
    this.#odd.read(statement);
    this.#hearRefusals(statement);
    this.#shared.heard({ member, demand: demand ?? Number.POSITIVE_INFINITY, weight, sequence }, at);
    if (this.#refusals.size > 2 * (this.#shared.members + 1)) this.#forget();
  }

  /** Runs until `signal` aborts, and then states that the process leaves. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      this.#pace();
      this.#stateIfDue();
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
    // While the control topic takes no statements, the others detect the end by the silence of the process.
    if (!this.#isCutOff) await this.#state(0, true);
  }

  #pace(): void {
    const { clock, slots } = this.#deps;
    const share = this.#shared.perSecond(clock.ticks());
    this.#odd.counted(this.#shared.members, clock.ticks());
    if (share === this.#perSecond || (share > this.#perSecond && share < NEWS * this.#perSecond)) return;
    this.#perSecond = share;
    slots.pace(share > 0 ? Math.min(CLOSED_MS, 1_000 / share) : CLOSED_MS);
  }

  #stateIfDue(): void {
    const now = this.#deps.clock.ticks();
    const demand = this.#deps.meter.perSecond(now);
    const { refusals } = this.#deps.headroom;
    const sinceMs = now - this.#stated.at;
    const wantsMore = demand > MUCH_MORE * this.#stated.demand;
    const isSudden = (wantsMore || refusals > this.#stated.refusals) && sinceMs >= SOONEST_MS;
    if (this.#isWriting || (sinceMs < STATE_EVERY_MS && !isSudden)) return;
    this.#stated = { at: now, demand, refusals };
    void this.#state(demand, false);
  }

  async #state(demand: number, leaves: boolean): Promise<void> {
    const { member, quota, weight, headroom, clock, log, write, mark } = this.#deps;
    const sequence = ++this.#sequence;
    this.#sentAt.set(sequence, clock.ticks());
    this.#sentAt.delete(sequence - MAX_UNREAD);
    this.#isWriting = true;
    const value = statementBytes({
      member,
      key: mark(),
      sequence,
      demand: Number.isFinite(demand) ? demand : null,
      weight,
      quota: { requests: quota.requests, window_ms: quota.windowMs },
      leaves,
      refused: headroom.refusals,
      sent_at: clock.now(),
    });
    try {
      await write(member, value);
      if (this.#isCutOff) log.info("Weir can write to the control topic again");
      this.#isCutOff = false;
    } catch (thrown) {
      if (!this.#isCutOff)
        log.warn("Weir cannot write to the control topic: this process continues with the last known quota shares", {
          reason: toError(thrown).message,
        });
      this.#isCutOff = true;
    } finally {
      this.#isWriting = false;
    }
  }

  /** The first statement of another process sets the baseline: its earlier 429s are old. */
  #hearRefusals({ member, refused }: QuotaStatement): void {
    if (member === this.#deps.member || refused === undefined) return;
    if (refused > (this.#refusals.get(member) ?? refused)) this.#deps.headroom.refusedElsewhere();
    this.#refusals.set(member, refused);
  }

  /** Drops the 429 counts of processes that left. */
  #forget(): void {
    for (const name of this.#refusals.keys()) if (!this.#shared.has(name)) this.#refusals.delete(name);
  }
}
