import { describe, expect, test } from "vitest";
import { type ProgressDeps, ProgressWatch } from "../../../../src/worker/consumer/progress-watch.ts";
import type { Head } from "../../../../src/worker/offsets/standing-heads.ts";

const SECOND = 1_000;
const head: Head = { topic: "events", partition: 0, lane: "realtime", since: 1, offset: 17 };

/** A watch over a live consumer and the given stalled watermarks. It checks every second. */
function watching(own: Partial<ProgressDeps> = {}) {
  const consumer = { activeAt: 0 };
  const heads: Head[] = [];
  let now = 0;
  const watch = new ProgressWatch(
    {
      consumer,
      intake: { heads: () => heads },
      isHeld: () => false,
      isQueued: () => false,
      stuckMs: () => 60 * SECOND,
      headStuckMs: () => 600 * SECOND,
      ...own,
    },
    now,
  );
  /** The first message of a check. */
  const pass = (seconds: number, inWork: number, { isAlive = true, isMoving = false } = {}) => {
    for (let passed = 0; passed < seconds; passed++) {
      now += SECOND;
      if (isAlive) consumer.activeAt = now;
      if (isMoving) watch.moved(now);
      const stuck = watch.look(inWork, now);
      if (stuck !== undefined) return stuck.message;
    }
    return "goes on";
  };
  return { watch, heads, pass };
}

describe("it is a fault", () => {
  test("if the consumer gives no sign of life, with or without work", () => {
    const { pass } = watching();

    expect(pass(60, 0, { isAlive: false })).toBe("goes on");
    expect(pass(1, 0, { isAlive: false })).toBe("the consumer was silent for 60 s");
  });

  test("if no record is completed while there is work", () => {
    const { pass } = watching();
    pass(50, 0);

    expect(pass(60, 2)).toBe("goes on");
    expect(pass(1, 2)).toBe("none of 2 events in work was settled for 60 s");
  });

  test("and the message names a known obstacle", () => {
    const { pass } = watching({ obstacle: () => "writing to verdicts/0 fails: not authorized" });

    expect(pass(61, 1)).toBe(
      "none of 1 event in work was settled for 60 s: writing to verdicts/0 fails: not authorized",
    );
  });

  test("if one partition stands still while others are completed", () => {
    const { watch, heads, pass } = watching();
    heads.push(head);

    expect(pass(601, 2, { isMoving: true })).toBe("goes on");
    expect([watch.stalledPartitionMs("realtime"), watch.stalledPartitionMs("backfill")]).toEqual([600 * SECOND, 0]);
    expect(pass(1, 2, { isMoving: true })).toBe(
      "events/0 is not settled from offset 17 on, and waited for nothing that is known for 600 s",
    );
  });
});

describe("it is no fault", () => {
  test("if no record is completed while the service keeps all work waiting, nor just after that", () => {
    let isHeld = true;
    const { pass } = watching({ isHeld: () => isHeld });

    expect(pass(500, 1)).toBe("goes on");
    isHeld = false;
    expect(pass(60, 1)).toBe("goes on");
    expect(pass(1, 1)).toBe("none of 1 event in work was settled for 60 s");
  });

  test("if no record was completed before one was", () => {
    const { watch, pass } = watching();
    pass(59, 1);
    watch.moved(59 * SECOND);

    expect(pass(60, 1)).toBe("goes on");
  });

  test.each<[string, Partial<ProgressDeps>]>([
    ["something waits its turn", { isQueued: () => true }],
    ["the service keeps everything waiting", { isHeld: () => true }],
    ["the brokers take no verdict of one partition", { obstacle: () => "writing to verdicts/0 fails: full" }],
  ])("if one partition stands still while %s, but the time is reported", (_what, own) => {
    const { watch, heads, pass } = watching(own);
    heads.push(head);

    expect(pass(1_800, 1, { isMoving: true })).toBe("goes on");
    expect(watch.stalledPartitionMs("realtime")).toBe(1_799 * SECOND);
  });
});
