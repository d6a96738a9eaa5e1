import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import type { Lane } from "../../../../../src/messages/lane.ts";
import { Linger } from "../../../../../src/worker/batching/queue/linger.ts";
import { WaitingQueue } from "../../../../../src/worker/batching/queue/waiting.ts";
import { PositionAllocator } from "../../../../../src/worker/rate-limit/queue/position.ts";
import { evenly } from "../../../../fakes/turns.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";
import { evm } from "../../../../support/poisoning-parts.ts";
import { waitingFor } from "../../../../support/waiting-parts.ts";

function setup(maxItems?: number) {
  const clock = new VirtualClock();
  const ending = new AbortController();
  const linger = new Linger(clock, ending.signal, maxItems);
  const queue = new WaitingQueue(evenly, new PositionAllocator(), maxItems);
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
    /** How long it lingers, milliseconds. */
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

test("realtime does not wait while slots come at once, and 20 ms while they are scarce", async () => {
  const { linger, push, lasts } = setup();
  push("realtime");

  expect(await lasts()).toBe(0);
  linger.slotTook(5);
  expect(await lasts()).toBe(0);
  linger.slotTook(6);
  expect(await lasts()).toBe(20);
});

test("backfill waits 500 ms from when the first came, and less when realtime comes", async () => {
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

test("a request that is full by the service's own limit leaves at once", async () => {
  const { push, lasts } = setup(10);
  push("backfill", [1]);
  expect(await lasts()).toBe(500);
  push("backfill", [1, 2, 3]);
  expect(await lasts()).toBe(0);
});

test("the last millisecond is waited for as well", async () => {
  const { clock, push, lasts } = setup();
  push("backfill");
  await clock.advance(499);

  expect(await lasts()).toBe(1);
});

test("who comes while others wait, and would not have it end sooner, wakes nobody", async () => {
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

test("a full request is not waited for: users, targets and tokens beside the canaries of a chain", async () => {
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

test("it ends when a realtime part comes, when it becomes urgent, or when no more is expected", async () => {
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

test("while slots are scarce, a realtime part that comes while backfill waits shortens the wait to its own", async () => {
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

test("an empty queue, and what was urgent from the start, is not lingered over", async () => {
  const { push, hurry, lasts } = setup();
  expect(await lasts()).toBe(0);
  push("backfill");
  hurry();
  expect(await lasts()).toBe(0);
});

test("an abort ends it", async () => {
  const { clock, ending, push, begin } = setup();
  push("backfill");
  const { over } = begin();
  const failed = expect(over).rejects.toThrow("stop");

  ending.abort(new Error("stop"));

  await failed;
  expect(clock.sleeping).toBe(0);
});

test("it leaves nothing behind on the signal of the run", async () => {
  const { ending, push, lasts } = setup();
  push("backfill");

  expect(await lasts()).toBe(500);

  expect(getEventListeners(ending.signal, "abort")).toEqual([]);
});
