import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import { GivenRate } from "../../src/worker/rate-limit/learner/given-rate.ts";
import { NextSlot } from "../../src/worker/rate-limit/learner/next-slot.ts";
import type { Flight } from "../../src/worker/rate-limit/learner/sending-order.ts";
import { Headroom } from "../../src/worker/rate-limit/sharing/headroom.ts";
import type { Quota } from "../../src/worker/rate-limit/sharing/quota.ts";
import { SharedQuota, STATE_EVERY_MS, type Statement } from "../../src/worker/rate-limit/sharing/shared-quota.ts";
import type { Counter } from "./counters.ts";

/** A process on the key: its possible requests per second at any time, and its events, in seconds of the run. */
export interface Process {
  readonly demand: (seconds: number) => number;
  readonly weight?: number;
  readonly startedAt?: number;
  readonly killedAt?: number;
  /** Between these times the process neither reads nor writes the topic. */
  readonly cutOff?: readonly [from: number, until: number];
}

export interface SharedRunOptions {
  readonly quota: Quota;
  readonly processes: readonly Process[];
  readonly seconds: number;
  readonly seed: number;
  /** Share of the statements that never reach the topic. */
  readonly lost?: number;
  /** Delay of a record to each reader, milliseconds: the least and the most. */
  readonly delayMs?: readonly [number, number];
  /** Delay of a request to the service, milliseconds: the least and the most. */
  readonly wayMs?: readonly [number, number];
}

/** Requests of one process that arrived in one second. */
export interface Arrived {
  taken: number;
  refused: number;
}

interface Delivery {
  readonly at: number;
  readonly sentAt: number;
  readonly statement: Statement & { readonly refused: number };
}

/** A step of the simulation, and the interval at which a process checks its share. Milliseconds. */
const STEP_MS = 1;
const LOOK_MS = 250;
/** Shortest time from the last statement to the statement of a 429, milliseconds. */
const SOONEST_MS = 500;
const DELAY_MS = [20, 500] as const;
/** A gap in which no permit comes. */
const CLOSED_MS = 2 ** 30;
/** A new process reads the statements of this time before its start, milliseconds. */
const TAIL_MS = 4_000;
const ALONE = 0.1;
const WAY_MS = [10, 25] as const;

/** Runs processes that share a configured quota through one topic, against a counter in virtual time. */
export function sharedRun(counter: Counter, options: SharedRunOptions): readonly (readonly Arrived[])[] {
  const { quota, processes, seconds, seed, lost = 0, delayMs = DELAY_MS, wayMs = WAY_MS } = options;
  const random = seededRandom(seed);
  const members = processes.map((process, i) => memberOf(`process ${i}`, process, quota, random));
  const requests: { readonly at: number; readonly of: number; readonly flight: Flight }[] = [];
  let topic: readonly Omit<Delivery, "at">[] = [];
  const arrived = processes.map(() => Array.from({ length: seconds }, () => ({ taken: 0, refused: 0 })));
  for (let now = 0; now < 1_000 * seconds; now += STEP_MS) {
    for (const [i, member] of members.entries()) {
      if (!member.isThere(now)) continue;
      if (member.isNew(now)) for (const each of topic) member.deliver(each, now + within(delayMs, random));
      const statement = member.state(now);
      if (statement !== undefined && !member.isCutOff(now) && random() >= lost) {
        const record = { statement, sentAt: now };
        topic = [...topic.filter(({ sentAt }) => sentAt > now - TAIL_MS), record];
        for (const reader of members) reader.deliver(record, now + within(delayMs, random));
      }
      if (member.sends(now)) requests.push({ at: now + within(wayMs, random), of: i, flight: member.given.sent(now) });
    }
    const here = requests.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
    for (const request of here) {
      requests.splice(requests.indexOf(request), 1);
      const second = arrived[request.of]?.[Math.floor(now / 1_000)];
      if (second === undefined) continue;
      const { headroom, given } = members[request.of] ?? {};
      if (counter.takes(now)) {
        second.taken++;
        given?.taken(request.flight, now);
        headroom?.taken();
      } else {
        second.refused++;
        given?.refused(request.flight, now, 0);
        headroom?.refused();
      }
    }
  }
  return arrived;
}

function memberOf(name: string, process: Process, quota: Quota, random: Random) {
  const { demand, weight = 1, startedAt = 0, killedAt = Number.POSITIVE_INFINITY, cutOff = [0, 0] } = process;
  const headroom = new Headroom(() => undefined);
  const shared = new SharedQuota({ self: name, quota, alone: ALONE, headroom, since: 1_000 * startedAt });
  const isThere = (now: number) => now >= 1_000 * startedAt && now < 1_000 * killedAt;
  const isCutOff = (now: number) => now >= 1_000 * cutOff[0] && now < 1_000 * cutOff[1];
  let deliveries: Delivery[] = [];
  let statesAt = 1_000 * startedAt + STATE_EVERY_MS * random();
  let stated = Number.NaN;
  let statedAt = Number.NEGATIVE_INFINITY;
  let statedRefusals = 0;
  let sequence = 0;
  const refusals = new Map<string, number>();
  const given = new GivenRate({ windowMs: quota.windowMs, minTimeMs: CLOSED_MS, random, onPart: () => undefined });
  let looksAt = 0;
  let perSecond = 0;
  let gap = CLOSED_MS;
  const next = new NextSlot(0, 0);
  next.pace(gap, 1_000 * startedAt);
  let owed = 0;
  return {
    headroom,
    given,
    isThere,
    isCutOff,
    isNew: (now: number) => now === 1_000 * startedAt,
    deliver: (record: Omit<Delivery, "at">, at: number) => {
      if (isThere(at)) deliveries.push({ ...record, at });
    },
    /** Every 2 s, and after a change of demand or a 429. */
    state(now: number): Delivery["statement"] | undefined {
      const wanted = demand(now / 1_000);
      const refused = headroom.refusals;
      const isNews = wanted !== stated || (refused > statedRefusals && now - statedAt >= SOONEST_MS);
      if (now < statesAt && !isNews) return undefined;
      if (Number.isNaN(stated) && now < statesAt) return undefined;
      statesAt = now + STATE_EVERY_MS;
      statedAt = now;
      stated = wanted;
      statedRefusals = refused;
      return { member: name, demand: wanted, weight, refused, sequence: ++sequence };
    },
    sends(now: number): boolean {
      const due = isCutOff(now) ? [] : deliveries.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
      // A process knows the sending times of its own statements only.
      for (const { statement, at, sentAt } of due) {
        const { member, refused } = statement;
        shared.heard(statement, member === name ? sentAt : at);
        if (member !== name && refused > (refusals.get(member) ?? refused)) headroom.refusedElsewhere();
        refusals.set(member, refused);
      }
      if (due.length > 0) deliveries = deliveries.filter((each) => !due.includes(each));
      if (now >= looksAt || due.length > 0) {
        looksAt = now + LOOK_MS;
        const share = shared.perSecond(now);
        if (share !== perSecond) {
          perSecond = share;
          given.give(share > 0 ? 1_000 / share : CLOSED_MS);
        }
      }
      if (given.minTimeMs !== gap) {
        gap = given.minTimeMs;
        next.pace(gap, now);
      }
      const wanted = demand(now / 1_000);
      owed = Math.min(1, owed + (Number.isFinite(wanted) ? (wanted * STEP_MS) / 1_000 : 1));
      if (now < next.at || owed < 1 || given.waitMs(now) > 0) return false;
      owed = 0;
      // Permits are late by less than a step, and catch up.
      next.used(Math.max(next.at, now - STEP_MS));
      return true;
    },
  };
}

function within([least, most]: readonly [number, number], random: Random): number {
  return least + (most - least) * random();
}
