import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import {
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
} from "../../../../../src/worker/answers/service-errors.ts";
import { QUOTA_OF_RATE, QuotaMeasurement } from "../../../../../src/worker/rate-limit/gate/quota-measurement.ts";
import { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";
import { openGate } from "../../../../fakes/open-gate.ts";
import { type Counter, FixedWindow } from "../../../../quota/counters.ts";
import { kinds } from "../../../../quota/kinds.ts";
import { SimulatedSlots } from "../../../../simulation/simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "../../../../simulation/virtual-clock.ts";

const CONCURRENCY = 32;

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

interface Bounds {
  readonly maxRequests: number;
  readonly maxMs?: number;
  /** When the caller stops the measurement. */
  readonly stoppedAfterMs?: number;
}

/** Measures against a counter, in virtual time. */
async function measured(
  counter: Pick<Counter, "takes">,
  { maxRequests, maxMs = DAY_MS, stoppedAfterMs }: Bounds,
  failureOf: (asked: number) => Error | undefined = () => undefined,
  patienceMs = Number.POSITIVE_INFINITY,
) {
  const random = seededRandom(1);
  // A random generator of its own: an additional timer does not change the other random numbers.
  const time = new VirtualTime(seededRandom(1));
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const learner = new RateLearner(random);
  const gate = openGate(clock, {
    slots: new SimulatedSlots(life, 0, CONCURRENCY),
    pacer: learner,
    random,
    patienceMs,
    keyIsFixed: true,
  });
  let asked = 0;
  let refused = 0;
  const ask = async () => {
    const failure = failureOf(++asked);
    await clock.sleep(10 + 10 * random());
    const isTaken = counter.takes(time.ticks);
    await clock.sleep(10 + 10 * random());
    if (failure !== undefined) throw failure;
    if (isTaken) return;
    refused++;
    throw new RateLimitedError("the service answered 429");
  };
  let isOver = false;
  const stopped = new AbortController();
  if (stoppedAfterMs !== undefined) life.after(stoppedAfterMs, () => stopped.abort());
  const measuring = new QuotaMeasurement({
    gate,
    learner,
    ask,
    concurrency: CONCURRENCY,
    maxRequests,
    maxMs,
    clock,
  }).run(stopped.signal);
  const end = () => {
    isOver = true;
  };
  measuring.then(end, end);
  await time.runUntil(() => isOver, Number.POSITIVE_INFINITY);
  const found = await measuring;
  expect([found.requests, found.refused]).toEqual([asked, refused]);
  return found;
}

describe.each(kinds)("$name", ({ requests, windowMs, counter, reachable }) => {
  // A long window takes many 429s: its first quota is used by a burst, which says nothing about the rate.
  const maxRequests = windowMs > 1_000 ? 10_000 : 4_000;

  test(`the quota is found with ${maxRequests} requests`, async () => {
    const found = await measured(
      counter(() => requests, 0.3),
      { maxRequests },
    );

    expect(found.end).toBe("learned");
    const quota = (1_000 * requests) / windowMs / (found.learned?.perSecond ?? 0);
    expect(quota).toBeGreaterThanOrEqual(QUOTA_OF_RATE.least);
    expect(quota).toBeLessThanOrEqual(QUOTA_OF_RATE.most);
    expect((found.learned?.perSecond ?? 0) / reachable).toBeGreaterThan(0.9);
    expect((found.learned?.perSecond ?? 0) / reachable).toBeLessThan(1.15);
    if (windowMs === 1_000) expect(found.refused / found.requests).toBeLessThan(0.4);
  });
});

test("a measurement makes no more requests than allowed, and reports no quota that it did not find", async () => {
  const [bucket] = kinds;
  const found = await measured(bucket?.counter(() => bucket.requests, 0) ?? { takes: () => true }, { maxRequests: 15 });

  expect([found.learned, found.requests, found.end]).toEqual([undefined, 15, "requests"]);
});

test("a service without a quota ends the measurement after the allowed requests", async () => {
  const { learned, requests, refused } = await measured({ takes: () => true }, { maxRequests: 2_000 });

  expect([learned, requests, refused]).toEqual([undefined, 2_000, 0]);
});

test("a service that fails during a measurement", async () => {
  const failure = new RejectedError("the service answered 422");

  await expect(measured({ takes: () => true }, { maxRequests: 100 }, () => failure)).rejects.toBe(failure);
});

test("a service that never answers ends the measurement at once", async () => {
  const failure = new UnavailableError("connection refused");

  await expect(measured({ takes: () => true }, { maxRequests: 100 }, () => failure)).rejects.toBe(failure);
});

test("a refused key is reported by the response that refused it, and not by the waiting requests", async () => {
  const failure = new UnauthorizedError("the service answered 401");

  await expect(measured({ takes: () => true }, { maxRequests: 100 }, () => failure)).rejects.toBe(failure);
});

test.each([1, 2, 3, 4, 5])("a service that fails now and then is measured all the same, %d", async (seed) => {
  const random = seededRandom(seed);
  const failure = new UnavailableError("the service answered 500");
  const fails = (asked: number) => (asked > 100 && random() < 0.01 ? failure : undefined);
  const found = await measured(new FixedWindow(() => 50, 1_000, 0), { maxRequests: 12_000 }, fails);

  expect(found.end).toBe("learned");
  expect(found.failed).toBeGreaterThan(0);
  expect(50 / (found.learned?.perSecond ?? 0)).toBeGreaterThanOrEqual(QUOTA_OF_RATE.least);
  expect(50 / (found.learned?.perSecond ?? 0)).toBeLessThanOrEqual(QUOTA_OF_RATE.most);
});

test("a service that goes down ends the measurement, and the result so far is reported", async () => {
  const failure = new UnavailableError("connection refused");
  const fails = (asked: number) => (asked > 200 ? failure : undefined);
  const { learned, taken, refused, failed, end } = await measured(
    new FixedWindow(() => 50, 1_000, 0),
    { maxRequests: 12_000 },
    fails,
    30_000,
  );

  expect([learned, taken + refused, end]).toEqual([undefined, 200, "down"]);
  expect(failed).toBeGreaterThan(5);
});

test("a used-up daily quota keeps the measurement for no longer than its time limit", async () => {
  const day = new FixedWindow(() => 500, DAY_MS, 0);
  const { learned, taken, tookMs, usedUpMs, end } = await measured(day, { maxRequests: 12_000, maxMs: 20 * MINUTE_MS });

  expect([learned, taken, tookMs, end]).toEqual([undefined, 500, 20 * MINUTE_MS, "time"]);
  expect(usedUpMs / MINUTE_MS).toBeGreaterThan(19.9);
});

test("a caller that stops the measurement gets the result so far at once", async () => {
  const { learned, requests, taken, refused, tookMs, usedUpMs, end } = await measured(
    new FixedWindow(() => 600, MINUTE_MS, 0),
    { maxRequests: 12_000, stoppedAfterMs: 30_000 },
  );

  expect([learned, taken, tookMs, end]).toEqual([undefined, 600, 30_000, "stopped"]);
  expect(usedUpMs).toBeGreaterThan(20_000);
  // The request that probed for the opening may have no answer.
  expect(requests - taken - refused).toBeLessThanOrEqual(1);
});
