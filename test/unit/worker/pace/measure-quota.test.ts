import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../src/kernel/random.ts";
import { Gate } from "../../../../src/worker/pace/gate.ts";
import { measureQuota } from "../../../../src/worker/pace/measure-quota.ts";
import { RateLearner } from "../../../../src/worker/pace/rate-learner.ts";
import { RateLimitedError, RejectedError } from "../../../../src/worker/service-errors.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { evenly } from "../../../fakes/turns.ts";
import type { Counter } from "../../../quota/counters.ts";
import { kinds } from "../../../quota/kinds.ts";
import { SimulatedSlots } from "../../../simulation/simulated-slots.ts";
import { Life, VirtualClock, VirtualTime } from "../../../simulation/virtual-clock.ts";

const CONCURRENCY = 32;

/** Measures against a counter, in virtual time. */
async function measured(counter: Pick<Counter, "takes">, maxRequests: number, failure?: Error) {
  const random = seededRandom(1);
  const time = new VirtualTime(random);
  const life = new Life(time, Number.POSITIVE_INFINITY);
  const clock = new VirtualClock(life);
  const learner = new RateLearner(random);
  const gate = new Gate({
    slots: new SimulatedSlots(life, 0, CONCURRENCY),
    learner,
    headroom: undefined,
    weightOf: evenly,
    clock,
    random,
    log: new FakeLog(),
    reloadKey: async () => false,
    patienceMs: Number.POSITIVE_INFINITY,
    keyIsFixed: false,
  });
  let asked = 0;
  let refused = 0;
  const ask = async () => {
    asked++;
    await clock.sleep(10 + 10 * random());
    const isTaken = counter.takes(time.ticks);
    await clock.sleep(10 + 10 * random());
    if (failure !== undefined) throw failure;
    if (isTaken) return;
    refused++;
    throw new RateLimitedError("the service answered 429");
  };
  let isOver = false;
  const measuring = measureQuota({ gate, learner, ask, concurrency: CONCURRENCY, maxRequests, clock });
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
  // A long window is found by many 429s: its first one is taken in a burst, which says nothing of the rate.
  const maxRequests = windowMs > 1_000 ? 10_000 : 4_000;

  test(`is found with ${maxRequests} requests`, async () => {
    const found = await measured(
      counter(() => requests, 0.3),
      maxRequests,
    );

    expect((found.learned?.perSecond ?? 0) / reachable).toBeGreaterThan(0.9);
    expect((found.learned?.perSecond ?? 0) / reachable).toBeLessThan(1.15);
    if (windowMs === 1_000) expect(found.refused / found.requests).toBeLessThan(0.4);
  });
});

test("no more requests are made than were allowed, and what was not found is not made up", async () => {
  const [bucket] = kinds;
  const found = await measured(bucket?.counter(() => bucket.requests, 0) ?? { takes: () => true }, 15);

  expect([found.learned, found.requests]).toEqual([undefined, 15]);
});

test("a service without a quota is left alone after as many", async () => {
  const { learned, requests, refused } = await measured({ takes: () => true }, 2_000);

  expect([learned, requests, refused]).toEqual([undefined, 2_000, 0]);
});

test("a service that fails ends it", async () => {
  const failure = new RejectedError("the service answered 422");

  await expect(measured({ takes: () => true }, 100, failure)).rejects.toBe(failure);
});
