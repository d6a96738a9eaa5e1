import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { BottleneckSlots, type SlotsOptions } from "../../../../src/adapters/bottleneck/bottleneck-slots.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";

/** Timers of Node count whole milliseconds, and may fire up to this much early. */
const EARLY_MS = 2;
/** A gap that is longer than any test. */
const AGES_MS = 600_000;

function slotsOf(options: Partial<SlotsOptions> = {}) {
  const slots = new BottleneckSlots({ minTimeMs: 0, maxConcurrent: 100, catchUp: 1, clock: systemClock, ...options });
  onTestFinished(() => slots.close(new Error("the test has ended")));
  return slots;
}

/** Runs jobs that end at once. @returns the time at which each job began, in the order of their begins. */
async function begins(slots: BottleneckSlots, count: number) {
  const began: { readonly job: number; readonly at: number }[] = [];
  const one = (job: number) => slots.run(async () => began.push({ job, at: performance.now() }));
  await Promise.all(Array.from({ length: count }, (_, job) => one(job)));
  return began;
}

test.each([0, 3])("jobs begin in the order of their arrival, at a pace of %i ms", async (minTimeMs) => {
  const began = await begins(slotsOf({ minTimeMs }), 30);

  expect(began.map(({ job }) => job)).toEqual(Array.from({ length: 30 }, (_, job) => job));
});

test("the first job begins at once, and each later job a whole gap after the due time of the previous one", async () => {
  const slots = slotsOf({ minTimeMs: 12.5 });

  const from = performance.now();
  const began = await begins(slots, 8);

  for (const [i, { at }] of began.entries()) expect(at - from).toBeGreaterThanOrEqual(i * 12.5 - EARLY_MS);
});

test.each([10, 2])(
  "a stalled process does not catch up: any six jobs in a row take at least four gaps of %i ms",
  async (gapMs) => {
    const slots = slotsOf({ minTimeMs: gapMs });
    const stall = setInterval(() => {
      const until = performance.now() + 40;
      while (performance.now() < until);
    }, 60);
    onTestFinished(() => clearInterval(stall));

    const began = await begins(slots, 30);

    for (const [i, { at }] of began.slice(5).entries()) {
      expect(at - (began[i]?.at ?? at)).toBeGreaterThanOrEqual(4 * gapMs - EARLY_MS);
    }
  },
);

test.each([0, 2])(
  "at most the allowed number of jobs run at once, and all room is used, at a pace of %i ms",
  async (pace) => {
    const slots = slotsOf({ minTimeMs: pace, maxConcurrent: 3 });
    let running = 0;
    let most = 0;
    const job = async () => {
      most = Math.max(most, ++running);
      await delay(25);
      running--;
    };

    await Promise.all(Array.from({ length: 12 }, () => slots.run(job)));

    expect(most).toBe(3);
  },
);

test("a permit is requested only when there is room, so a job that waits does not shorten the next gap", async () => {
  const slots = slotsOf({ minTimeMs: 20, maxConcurrent: 1 });
  const ended: number[] = [];
  const began: number[] = [];
  const job = async () => {
    began.push(performance.now());
    await delay(50);
    ended.push(performance.now());
  };

  await Promise.all([slots.run(job), slots.run(job), slots.run(job)]);

  for (const [i, at] of began.slice(1).entries()) {
    expect(at).toBeGreaterThanOrEqual(ended[i] ?? at);
    expect(at - (began[i] ?? at)).toBeGreaterThanOrEqual(20 - EARLY_MS);
  }
});

test("a job returns its own result or error, also before its first await", async () => {
  const slots = slotsOf({ minTimeMs: 1 });
  const later = new Error("later");
  const atOnce = new Error("at once");

  const asking = [
    slots.run(async () => 42),
    slots.run(() => Promise.reject(later)),
    slots.run(() => {
      throw atOnce;
    }),
    slots.run(async () => 43),
  ];

  expect(await Promise.allSettled(asking)).toEqual([
    { status: "fulfilled", value: 42 },
    { status: "rejected", reason: later },
    { status: "rejected", reason: atOnce },
    { status: "fulfilled", value: 43 },
  ]);
});

test("a failed job is not repeated", async () => {
  const slots = slotsOf({ minTimeMs: 1 });
  let runs = 0;

  await slots.run(async () => Promise.reject(new Error(`${++runs}`))).catch(() => undefined);
  await slots.run(async () => undefined);

  expect(runs).toBe(1);
});

test("many jobs all run without a pace", async () => {
  expect(await begins(slotsOf({ maxConcurrent: 5 }), 20_000)).toHaveLength(20_000);
});

test("jobs that arrive one by one, far apart, also run", async () => {
  const slots = slotsOf({ minTimeMs: 2 });

  for (let i = 0; i < 5; i++) {
    expect(await slots.run(async () => i)).toBe(i);
    await delay(10);
  }
});

test("a job may start another job while it runs", async () => {
  const slots = slotsOf({ minTimeMs: 1, maxConcurrent: 2 });

  expect(await slots.run(() => slots.run(async () => "inner"))).toBe("inner");
});

test("a faster pace applies to a job that already waits for its permit", async () => {
  const slots = slotsOf({ minTimeMs: AGES_MS });
  await slots.run(async () => undefined);
  const waiting = slots.run(async () => performance.now());
  await delay(20);

  const from = performance.now();
  slots.pace(15);

  expect((await waiting) - from).toBeGreaterThanOrEqual(15 - EARLY_MS);
});

test("a faster pace applies from the call on, also when no job waits", async () => {
  const slots = slotsOf({ minTimeMs: AGES_MS });
  await slots.run(async () => undefined);

  const from = performance.now();
  slots.pace(15);
  const began = await begins(slots, 3);

  for (const [i, { at }] of began.entries()) expect(at - from).toBeGreaterThanOrEqual((i + 1) * 15 - EARLY_MS);
});

describe("when the wall clock is set", () => {
  /** @returns a function that sets the clock by a number of milliseconds. */
  function wallClock() {
    const now = Date.now;
    let setBy = 0;
    const spy = vi.spyOn(Date, "now").mockImplementation(() => now() + setBy);
    onTestFinished(() => spy.mockRestore());
    return (ms: number) => {
      setBy += ms;
    };
  }

  const HOUR_MS = 3_600_000;
  // Differences up to the limit of Node's timers, 2^31 - 1 ms. A timer with a longer delay fires at once.
  const steps = [-HOUR_MS, HOUR_MS, -1_000 * HOUR_MS, 1_000 * HOUR_MS, -100, 100];

  test.each(steps)("by %i ms, permits go on, and any four jobs in a row take at least two gaps", async (step) => {
    const set = wallClock();
    const slots = slotsOf({ minTimeMs: 30 });
    const running = begins(slots, 25);
    await delay(200);
    const from = performance.now();
    set(step);

    const began = await running;

    // A quarter of a second until the change is noticed, an initial gap, and a gap for each remaining job. Two cores
    // are shared.
    expect(performance.now() - from).toBeLessThan(250 + 30 * 26 + 1_000);
    expect(began.map(({ job }) => job)).toEqual(Array.from({ length: 25 }, (_, job) => job));
    for (const [i, { at }] of began.slice(3).entries())
      expect(at - (began[i]?.at ?? at)).toBeGreaterThanOrEqual(2 * 30 - EARLY_MS);
  });

  test("ahead by each job, no job begins sooner than a gap after the previous one", async () => {
    const set = wallClock();
    const slots = slotsOf({ minTimeMs: 20, catchUp: 0 });
    const began: number[] = [];
    const job = async () => {
      began.push(performance.now());
      set(HOUR_MS);
    };

    await Promise.all(Array.from({ length: 10 }, () => slots.run(job)));

    for (const [i, at] of began.slice(1).entries()) expect(at - (began[i] ?? at)).toBeGreaterThanOrEqual(20 - EARLY_MS);
  });

  test("while no job waits, the next job waits for at most one gap", async () => {
    const set = wallClock();
    const slots = slotsOf({ minTimeMs: 20 });
    await begins(slots, 3);
    set(-HOUR_MS);
    await delay(400);

    const from = performance.now();
    await begins(slots, 1);

    expect(performance.now() - from).toBeLessThan(1_000);
  });
});

test("a slower pace applies at once, also to requested permits", async () => {
  const slots = slotsOf({ minTimeMs: 1 });
  await slots.run(async () => undefined);
  const from = performance.now();
  const running = begins(slots, 6);

  slots.pace(30);

  for (const [i, { at }] of (await running).entries()) expect(at - from).toBeGreaterThanOrEqual(i * 30 - EARLY_MS);
});

test("a pace after no pace begins with a gap", async () => {
  const slots = slotsOf();
  await begins(slots, 10);

  const from = performance.now();
  slots.pace(20);
  const began = await begins(slots, 2);

  expect((began[0]?.at ?? 0) - from).toBeGreaterThanOrEqual(20 - EARLY_MS);
  expect((began[1]?.at ?? 0) - from).toBeGreaterThanOrEqual(40 - EARLY_MS);
});

test("without a pace all waiting jobs begin", async () => {
  const slots = slotsOf({ minTimeMs: AGES_MS });
  const running = begins(slots, 20);
  await delay(10);

  slots.pace(0);

  expect(await running).toHaveLength(20);
});

test("no job is lost when the pace changes to and fro, also twice in a row and within a job", async () => {
  const slots = slotsOf();
  const paces = [AGES_MS, 5, AGES_MS, 3, 0, 2, AGES_MS, AGES_MS, 1];

  const running = begins(slots, 10);
  for (const pace of paces) slots.pace(pace);
  await running;
  for (const pace of paces) await slots.run(async () => slots.pace(pace === AGES_MS ? 4 : pace));
  const more = begins(slots, 10);
  for (const pace of paces) {
    slots.pace(pace);
    await delay(3);
  }

  expect(await more).toHaveLength(10);
});

test("a close rejects waiting and later jobs with its reason, and running jobs end normally", async () => {
  const slots = slotsOf({ minTimeMs: AGES_MS });
  const reason = new Error("stopping");
  const gate = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const running = slots.run(() => {
    begun.resolve();
    return gate.promise;
  });
  await begun.promise;
  const waiting = Promise.allSettled([slots.run(async () => 1), slots.run(async () => 2)]);
  let closed = false;

  const closing = slots.close(reason).then(() => {
    closed = true;
  });
  const outcomes = await waiting;
  const late = slots.run(async () => 3);
  slots.pace(0);

  expect(outcomes).toEqual([
    { status: "rejected", reason },
    { status: "rejected", reason },
  ]);
  await expect(late).rejects.toBe(reason);
  expect(closed).toBe(false);
  gate.resolve("done");
  expect(await running).toBe("done");
  await closing;
});

test("a second close keeps the first reason", async () => {
  const slots = slotsOf({ minTimeMs: 1 });
  const first = new Error("first");
  await slots.close(first);

  await slots.close(new Error("second"));

  await expect(slots.run(async () => 1)).rejects.toBe(first);
});

describe("with virtual time", () => {
  /** Four jobs that always wait for a permit, and a wall clock that a test can set. */
  function setup(minTimeMs: number) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const wall = { setBy: 0 };
    const clock = { now: () => Date.now() + wall.setBy, ticks: () => performance.now() };
    const slots = slotsOf({ minTimeMs, clock });
    const from = performance.now();
    const began: number[] = [];
    const busy = async () => {
      while (began.length < 1_000) await slots.run(async () => began.push(performance.now() - from));
    };
    for (let i = 0; i < 4; i++) void busy().catch(() => undefined);
    return { slots, wall, began };
  }

  const gaps = (began: readonly number[]) => began.slice(1).map((at, i) => at - (began[i] ?? 0));

  test("a pace that changes to and fro loses no permit", async () => {
    const { slots, began } = setup(1_000);
    for (let i = 0; i < 48; i++) {
      slots.pace(i % 2 === 0 ? 1_030 : 1_000);
      await vi.advanceTimersByTimeAsync(250);
    }

    expect(began).toHaveLength(12);
    expect(Math.min(...gaps(began))).toBeGreaterThanOrEqual(1_000);
  });

  test("a clock that is set again and again loses no permit", async () => {
    const { wall, began } = setup(1_000);
    for (let i = 0; i < 17; i++) {
      await vi.advanceTimersByTimeAsync(700);
      wall.setBy += 25;
    }

    expect(began).toHaveLength(12);
    expect(Math.min(...gaps(began))).toBeGreaterThanOrEqual(1_000);
  });

  test("a slower pace applies at once, and a faster pace to the rest of a permit", async () => {
    const { slots, began } = setup(1_000);
    await vi.advanceTimersByTimeAsync(500);
    slots.pace(2_000);
    await vi.advanceTimersByTimeAsync(500);
    slots.pace(200);
    await vi.advanceTimersByTimeAsync(300);

    // Half of the permit built up in the first half of a second, and a quarter of it in the second.
    expect(began.map((at) => 10 * Math.round(at / 10))).toEqual([0, 1_050, 1_250]);
  });

  test("gaps that are too short for the limiter are kept without it, whatever the wall clock shows", async () => {
    const { wall, began } = setup(2);
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(20);
      wall.setBy += 3_600_000 * (i % 2 === 0 ? 1 : -2);
    }

    expect(began).toEqual(Array.from({ length: 101 }, (_, i) => 2 * i));
  });

  test("a change between the limiter and no limiter loses no job and gives no extra permit", async () => {
    const { slots, began } = setup(2);
    await vi.advanceTimersByTimeAsync(9);
    slots.pace(10);
    await vi.advanceTimersByTimeAsync(30);
    slots.pace(2);
    await vi.advanceTimersByTimeAsync(10);

    expect(gaps(began).slice(0, 4)).toEqual([2, 2, 2, 2]);
    const slower = began.filter((at) => at > 9 && at <= 39);
    expect(slower).toHaveLength(3);
    expect(Math.min(...gaps(slower))).toBeGreaterThanOrEqual(10 - EARLY_MS);
    expect(began.filter((at) => at > 39).length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...gaps(began))).toBeGreaterThanOrEqual(2);
  });

  test("jobs that arrive together after an idle time keep their gaps without the limiter", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const slots = slotsOf({ minTimeMs: 2, clock: { now: Date.now, ticks: () => performance.now() } });
    await slots.run(async () => undefined);
    await vi.advanceTimersByTimeAsync(1_001);
    const from = performance.now();

    const jobs = begins(slots, 4);
    await vi.advanceTimersByTimeAsync(20);

    expect((await jobs).map(({ at }) => at - from)).toEqual([0, 2, 4, 6]);
  });

  test("a gap that is longer than a timer allows does not end at once", async () => {
    const { began } = setup(2 ** 32);
    await vi.advanceTimersByTimeAsync(60_000);

    expect(began).toHaveLength(1);
  });
});
