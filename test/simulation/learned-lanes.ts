import { seededRandom } from "../../src/kernel/retry.ts";
import type { Lane } from "../../src/messages/lane.ts";
import { RateLimitedError } from "../../src/worker/answers/service-errors.ts";
import { withRetries } from "../../src/worker/rate-limit/gate/ask-with-retries.ts";
import { RateLearner } from "../../src/worker/rate-limit/learner/rate-learner.ts";
import { waiterOf } from "../../src/worker/rate-limit/queue/waiter.ts";
import { openGate } from "../fakes/open-gate.ts";
import { type Kind, kinds } from "../quota/kinds.ts";
import { SimulatedSlots } from "./simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "./virtual-clock.ts";

/** Quotas of 10 and 50 a second, in every way of counting. */
export const laneKinds: readonly Kind[] = kinds.filter(
  ({ name, requests, windowMs }) =>
    windowMs === 1_000 && requests <= 50 && (name.includes("window") || name.startsWith("a bucket of 5 at")),
);

export interface LearnedLanesOptions {
  readonly kind: Kind;
  readonly seed: number;
  readonly seconds: number;
  /** Whether a 429 tells the wait, in whole seconds as in HTTP. */
  readonly tells: boolean;
  /** Deposits as a share of the quota. 0 means that the backfill is alone. */
  readonly deposits: number;
}

/** A deposit that was answered. */
interface Deposit {
  /** Time of arrival, seconds of the run. */
  readonly at: number;
  /** Wait until the accepted request was sent, in permits of the quota. */
  readonly waited: number;
  /** Number of earlier 429s of the deposit. */
  readonly refusals: number;
}

/** Answers in each second of the run, and 429s. */
interface Second {
  taken: number;
  refused: number;
}

export interface LearnedLanes {
  readonly deposits: readonly Deposit[];
  readonly seconds: readonly Second[];
}

const CONCURRENCY = 32;
/** Questions of the backfill in flight: more than the connections allow. */
const AT_ONCE = 2 * CONCURRENCY;
/**
 * Time from sending to the answer, milliseconds: the minimum and the random addition. The way to the service takes half
 * of it.
 */
const LATENCY_MS = [20, 30] as const;

/**
 * Deposits beside a backfill that asks for everything, at an unknown quota: a gate and its learner against a counter,
 * in virtual time. Each question is a request of its own.
 */
export async function learnedLanes(options: LearnedLanesOptions): Promise<LearnedLanes> {
  const { kind, seed, tells } = options;
  const random = seededRandom(seed);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const counter = kind.counter(() => kind.requests, seededRandom(seed)());
  const slotMs = kind.windowMs / kind.requests;
  const slots = new SimulatedSlots(life, 0, CONCURRENCY);
  const gate = openGate(clock, { slots, concurrency: CONCURRENCY, pacer: new RateLearner(random), random });
  const ending = new AbortController();
  const seconds = Array.from({ length: options.seconds }, () => ({ taken: 0, refused: 0 }));
  const deposits: Deposit[] = [];
  const answer = async () => {
    const [least, jitter] = LATENCY_MS;
    const wayMs = (least + jitter * random()) / 2;
    await clock.sleep(wayMs);
    const now = time.ticks;
    const isTaken = counter.takes(now);
    const toldMs = tells && !isTaken ? 1_000 * Math.ceil((counter.freeAt(now) - now) / 1_000) : undefined;
    const second = seconds[Math.floor(now / 1_000)];
    if (second !== undefined) second[isTaken ? "taken" : "refused"]++;
    await clock.sleep(wayMs);
    if (!isTaken) throw new RateLimitedError("429", toldMs);
  };
  /** @returns the time at which the accepted request was sent, and the number of refused requests before it. */
  const askOne = async (lane: Lane) => {
    const turn = waiterOf({ lane, tenant: lane });
    let left = 0;
    let requests = 0;
    const send = () => {
      left = time.ticks;
      requests++;
      return { events: ["e"], answer: answer() };
    };
    await withRetries(() => gate.run(send, turn), turn, { gate, clock, random, signal: ending.signal });
    return { left, refusals: requests - 1 };
  };
  const isOver = () => time.ticks >= 1_000 * options.seconds;
  const backfill = async () => {
    while (!isOver()) await askOne("backfill");
  };
  const deposit = async () => {
    const since = time.ticks;
    const { left, refusals } = await askOne("realtime");
    deposits.push({ at: since / 1_000, waited: (left - since) / slotMs, refusals });
  };
  const nowAndThen = async () => {
    while (!isOver()) {
      // At a random moment of an interval.
      await clock.sleep((slotMs / options.deposits) * 2 * random());
      void deposit().catch(() => undefined);
    }
  };
  for (let i = 0; i < AT_ONCE; i++) void backfill().catch(() => undefined);
  if (options.deposits > 0) void nowAndThen();
  await time.runUntil(isOver, Number.POSITIVE_INFINITY);
  ending.abort(new Error("the run is over"));
  gate.abandon(ending.signal.reason);
  return { deposits, seconds };
}
