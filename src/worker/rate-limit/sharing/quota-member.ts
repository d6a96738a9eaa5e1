import type { Clock } from "../../../kernel/clock.ts";
import { toError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { type QuotaStatement, readStatement, statementBytes } from "../../../messages/quota-statement.ts";
import type { Slots } from "../../ports.ts";
import type { DemandMeter } from "./demand-meter.ts";
import type { Headroom } from "./headroom.ts";
import type { Quota } from "./quota.ts";
import { SharedQuota, STATE_EVERY_MS } from "./shared-quota.ts";
import { OddStatements } from "./suspicious-statements.ts";

export interface QuotaMemberDeps {
  /** Of this process alone; another one after each start. */
  readonly member: string;
  readonly quota: Quota;
  readonly weight: number;
  /** As in `SharedQuotaOptions`. */
  readonly alone: number;
  readonly headroom: Pick<Headroom, "alone" | "closeness" | "refusals" | "refusedElsewhere">;
  /** By what those who share are known: `keyMark` of the key in use. */
  readonly mark: () => string;
  readonly meter: Pick<DemandMeter, "perSecond">;
  readonly slots: Pick<Slots, "pace">;
  readonly clock: Clock;
  readonly log: Log;
  /** Writes a record to the control topic. @throws when that is not certain. */
  readonly write: (key: string, value: Uint8Array) => Promise<void>;
}

/** How often the share and the demand are looked at. */
const LOOK_MS = 250;
/** A process that suddenly wants much more, or had a 429, says so at once, but no more often than this. */
const SOONEST_MS = 500;
/** No slot comes: longer than any run of a process, shorter than the longest timer. */
const CLOSED_MS = 2 ** 30;
/** More than so many times what was stated is said at once. */
const MUCH_MORE = 2;
/** A share that grows by less is not taken up: each change of a pace costs half a slot. */
const NEWS = 1.02;
/** Own statements that were sent and not read yet. */
const MAX_UNREAD = 64;

/**
 * One of the processes that share a quota: it states what it wants, reads what the others state, and paces the slots by
 * its share. Nothing it needs for that stops the slots for good: who hears nobody goes on as `SharedQuota` says.
 */
export class QuotaMember {
  readonly #deps: QuotaMemberDeps;
  readonly #shared: SharedQuota;
  readonly #odd: OddStatements;
  /** When own statements were sent, by their number. */
  readonly #sentAt = new Map<number, number>();
  #sequence = 0;
  #stated = { at: Number.NEGATIVE_INFINITY, demand: 0, refusals: 0 };
  /** 429s of the others, as they stated them last. */
  readonly #refusals = new Map<string, number>();
  #isWriting = false;
  #isCutOff = false;
  #perSecond = 0;

  constructor(deps: QuotaMemberDeps) {
    const { member, quota, alone, headroom, clock, slots, log } = deps;
    this.#deps = deps;
    this.#shared = new SharedQuota({ self: member, quota, alone, headroom, since: clock.ticks() });
    this.#odd = new OddStatements(quota, log);
    slots.pace(CLOSED_MS);
  }

  /** Requests a second that this process sends at most; 0: it waits for its turn. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Processes that share the quota, this one included; 0: it has not heard itself yet. */
  get members(): number {
    return this.#shared.members;
  }

  /** What was read from the topic, in its order. */
  read(value: Uint8Array | undefined): void {
    const statement = readStatement(value);
    if (statement === undefined) return;
    // What comes last counts, whatever it says of its number: one that is wrong would silence its process for good.
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

  /** Until `signal`; then it says that it leaves. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      this.#pace();
      this.#stateIfDue();
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
    // Whoever cannot be told takes its silence for it.
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
      if (this.#isCutOff) log.info("the control topic takes statements again");
      this.#isCutOff = false;
    } catch (thrown) {
      if (!this.#isCutOff)
        log.warn("the others cannot be told what this process wants: it goes on with what it knew of them", {
          reason: toError(thrown).message,
        });
      this.#isCutOff = true;
    } finally {
      this.#isWriting = false;
    }
  }

  /** What was refused before it was first heard is old. */
  #hearRefusals({ member, refused }: QuotaStatement): void {
    if (member === this.#deps.member || refused === undefined) return;
    if (refused > (this.#refusals.get(member) ?? refused)) this.#deps.headroom.refusedElsewhere();
    this.#refusals.set(member, refused);
  }

  /** 429s of those who are gone. */
  #forget(): void {
    for (const name of this.#refusals.keys()) if (!this.#shared.has(name)) this.#refusals.delete(name);
  }
}
