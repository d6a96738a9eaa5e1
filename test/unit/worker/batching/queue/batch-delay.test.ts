import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { Lane } from "../../../../../src/messages/lane.ts";
import { BatchDelay } from "../../../../../src/worker/batching/queue/batch-delay.ts";
import { EntryQueue } from "../../../../../src/worker/batching/queue/entry-queue.ts";
import { PositionAllocator } from "../../../../../src/worker/rate-limit/queue/position.ts";
import { evenly } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";
import { evm } from "../../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../../support/waiting-parts.ts";

function setup(maxItems?: number) {
  const clock = new VirtualClock();
  const ending = new AbortController();
  const linger = new BatchDelay(clock, ending.signal, maxItems);
  const queue = new EntryQueue(evenly, new PositionAllocator(), maxItems);
  let isUrgent = false;
  return {
    clock,
    ending,
    linger,
    push: (lane: Lane, users: readonly number[] = []) => {
      queue.push(waitingFor({ users: users.map((i) => evm(i)) }, lane, clock.ticks()));
      linger.look();
    },
    hurry: () => {
      isUrgent = true;
      linger.look();
    },
    /** How long the batcher lingers, milliseconds. */
    async lasts(): Promise<number> {
      const start = clock.ticks();
      await clock.runUntil(linger.until(queue, () => isUrgent));
      return clock.ticks() - start;
    },
    begin: () => {
      let isOver = false;
      const over = linger
        .until(queue, () => isUrgent)
        .finally(() => {
          isOver = true;
        });
      return { over, isOver: () => isOver };
    },
  };
}

test("a realtime entry does not linger while permits come at once, and lingers 20 ms while they are scarce", async () => {
  const { linger, push, lasts } = setup();
  push("realtime");

  expect(await lasts()).toBe(0);
  linger.slotTook(5);
  expect(await lasts()).toBe(0);
  linger.slotTook(6);
  expect(await lasts()).toBe(20);
});

test("a backfill entry lingers 500 ms from the first arrival, and less when a realtime entry arrives", async () => {
  const { clock, linger, push, lasts } = setup();
  push("backfill");
  await clock.advance(100);
  push("backfill");
  expect(await lasts()).toBe(400);

  const other = setup();
  other.linger.slotTook(100);
  other.push("backfill");
  await other.clock.advance(10);
  other.push("realtime");
  expect(await other.lasts()).toBe(20);
  expect(linger).toBeDefined();
});

test("a request that reaches the service's own limit leaves at once", async () => {
  const { push, lasts } = setup(10);
  push("backfill", [1]);
  expect(await lasts()).toBe(500);
  push("backfill", [1, 2, 3]);
  expect(await lasts()).toBe(0);
});

test("the last millisecond of lingering is waited for as well", async () => {
  const { clock, push, lasts } = setup();
  push("backfill");
  await clock.advance(499);

  expect(await lasts()).toBe(1);
});

test("a later entry that does not shorten the wait triggers nothing", async () => {
  const { clock, linger, push, begin } = setup();
  linger.slotTook(100);
  push("backfill");
  const { isOver } = begin();
  await clock.advance(490);
  push("realtime");
  push("backfill");
  await clock.advance(9);
  expect([isOver(), clock.slept]).toEqual([false, [500]]);

  const other = setup();
  other.linger.slotTook(100);
  other.push("realtime");
  other.begin();
  await other.clock.advance(5);
  for (let i = 0; i < 3; i++) other.push("realtime");
  await other.clock.advance(10);
  expect(other.clock.slept).toEqual([20]);
});

test("a full request leaves at once, with its users, targets, tokens and canaries counted", async () => {
  const { push, lasts } = setup();
  push(
    "backfill",
    Array.from({ length: 992 }, (_, i) => i + 10),
  );
  expect(await lasts()).toBe(500);

  const other = setup();
  other.push(
    "backfill",
    Array.from({ length: 993 }, (_, i) => i + 10),
  );
  expect(await other.lasts()).toBe(0);
});

test("lingering ends when a realtime entry arrives, when an entry is urgent, or when no more events are expected", async () => {
  for (const end of ["push", "hurry", "expect no more"] as const) {
    const { clock, linger, push, hurry, begin } = setup();
    push("backfill");
    const { isOver } = begin();
    await clock.advance(100);
    push("backfill");
    linger.look();
    await settled();
    expect(isOver()).toBe(false);

    if (end === "push") push("realtime");
    else if (end === "hurry") hurry();
    else linger.expectMore(false);
    await settled();

    expect([end, isOver(), clock.sleeping]).toEqual([end, true, 0]);
  }
});

test("while permits are scarce, a realtime entry shortens the wait of backfill entries to its own wait", async () => {
  const { clock, linger, push, begin } = setup();
  linger.slotTook(100);
  push("backfill");
  const { isOver } = begin();
  await clock.advance(100);

  push("realtime");
  await clock.advance(19);
  expect(isOver()).toBe(false);
  await clock.advance(1);
  expect([isOver(), clock.sleeping]).toEqual([true, 0]);
});

test("an empty queue and an urgent entry are not lingered for", async () => {
  const { push, hurry, lasts } = setup();
  expect(await lasts()).toBe(0);
  push("backfill");
  hurry();
  expect(await lasts()).toBe(0);
});

test("an abort ends the lingering", async () => {
  const { clock, ending, push, begin } = setup();
  push("backfill");
  const { over } = begin();
  const failed = expect(over).rejects.toThrow("stop");

  ending.abort(new Error("stop"));

  await failed;
  expect(clock.sleeping).toBe(0);
});

test("lingering leaves no listener on the signal of the run", async () => {
  const { ending, push, lasts } = setup();
  push("backfill");

  expect(await lasts()).toBe(500);

  expect(getEventListeners(ending.signal, "abort")).toEqual([]);
});
