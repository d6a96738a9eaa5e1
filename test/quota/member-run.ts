import type { Clock } from "../../src/kernel/clock.ts";
import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import { DemandMeter } from "../../src/worker/rate-limit/sharing/demand-meter.ts";
import { Headroom } from "../../src/worker/rate-limit/sharing/headroom.ts";
import { meteredSlots } from "../../src/worker/rate-limit/sharing/metered-slots.ts";
import type { Quota } from "../../src/worker/rate-limit/sharing/quota.ts";
import { QuotaMember } from "../../src/worker/rate-limit/sharing/quota-member.ts";
import { FakeLog } from "../fakes/fake-log.ts";
import { SimulatedSlots } from "../simulation/simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "../simulation/virtual-clock.ts";
import type { Counter } from "./counters.ts";

/** The requests of one process. */
export interface Load {
  /** This many requests always wait for a permit. */
  readonly busy?: number;
  /** Mean time between requests, milliseconds. Each time is random, between 0 and twice the mean. */
  readonly everyMs?: number;
  /** This many requests come at one time, in seconds of the run. */
  readonly burst?: { readonly at: number; readonly requests: number };
  /** The wall clock of the process is ahead by this much, milliseconds. */
  readonly aheadMs?: number;
  /** The load applies between these seconds of the run. */
  readonly from?: number;
  readonly until?: number;
}

/** One request of a process: when it arrived, and how long it waited for its permit, milliseconds. */
export interface Asked {
  readonly at: number;
  readonly waitedMs: number;
  readonly isTaken: boolean;
}

export interface MemberRunOptions {
  readonly quota: Quota;
  readonly loads: readonly Load[];
  readonly seconds: number;
  readonly seed: number;
}

const CONCURRENCY = 32;
/** Delays of a record to its readers, and of a request and its answer: the least, and the largest addition. */
const DELAY_MS = [50, 200] as const;
const WAY_MS = [10, 15] as const;

/** Runs real processes, with what they measure and state, against a counter in virtual time. */
export async function memberRun(counter: Counter, options: MemberRunOptions): Promise<readonly (readonly Asked[])[]> {
  const { quota, loads, seconds, seed } = options;
  const random = seededRandom(seed);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const within = ([least, more]: readonly [number, number]) => least + more * random();
  const members: QuotaMember[] = [];
  const asked = loads.map((load, i) => {
    const own: Asked[] = [];
    const meter = new DemandMeter(CONCURRENCY);
    const headroom = new Headroom(() => undefined);
    const paced = new SimulatedSlots(life, 0, CONCURRENCY);
    const slots = meteredSlots(paced, meter, clock);
    const member = new QuotaMember({
      member: `process-${i}`,
      quota,
      weight: 1,
      alone: 0.1,
      headroom,
      mark: () => "0-1",
      meter,
      slots: paced,
      clock: ahead(clock, load.aheadMs ?? 0),
      log: new FakeLog(),
      write: async (_, value) => {
        const delayMs = within(DELAY_MS);
        life.after(delayMs, () => {
          for (const reader of members) reader.read(value);
        });
      },
    });
    members.push(member);
    const ask = () => {
      const since = clock.ticks();
      const { promise, resolve } = Promise.withResolvers<void>();
      void slots.run(async () => {
        resolve();
        const waitedMs = clock.ticks() - since;
        await clock.sleep(within(WAY_MS));
        const isTaken = counter.takes(clock.ticks());
        own.push({ at: clock.ticks(), waitedMs, isTaken });
        if (isTaken) headroom.taken();
        else headroom.refused();
        await clock.sleep(within(WAY_MS));
      });
      return promise;
    };
    void member.run(new AbortController().signal);
    void begin(load, clock, random, ask);
    return own;
  });
  await time.runUntil(() => clock.ticks() > 1_000 * seconds, Number.POSITIVE_INFINITY);
  return asked;
}

function ahead(clock: VirtualClock, ms: number): Clock {
  return {
    now: () => clock.now() + ms,
    ticks: () => clock.ticks(),
    sleep: (waitMs, signal) => clock.sleep(waitMs, signal),
  };
}

/** @param ask resolves when its permit has come. */
async function begin(load: Load, clock: VirtualClock, random: Random, ask: () => Promise<void>): Promise<void> {
  const { busy = 0, everyMs, burst, from = 0, until = Number.POSITIVE_INFINITY } = load;
  const isOver = () => clock.ticks() > 1_000 * until;
  const always = async () => {
    while (!isOver()) await ask();
  };
  const nowAndThen = async (ms: number) => {
    for (await clock.sleep(2 * ms * random()); !isOver(); await clock.sleep(2 * ms * random())) void ask();
  };
  const once = async (at: number, requests: number) => {
    await clock.sleep(1_000 * at);
    for (let i = 0; i < requests; i++) void ask();
  };
  if (burst !== undefined) void once(burst.at, burst.requests);
  await clock.sleep(1_000 * from);
  for (let i = 0; i < busy; i++) void always();
  if (everyMs !== undefined) void nowAndThen(everyMs);
}
