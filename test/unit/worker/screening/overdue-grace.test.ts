import { describe, expect, test } from "vitest";
import { isPastDeadline, OverdueGrace } from "../../../../src/worker/screening/overdue-grace.ts";

const GRACE_MS = 2_000;
const DEADLINE_MS = 30_000;

/** The grace of events that are read at 10 s, with a service and a clock in the hands of the test. */
function grace() {
  const state = { now: 10_000, answeredAt: Number.NEGATIVE_INFINITY };
  const gate = {
    get answeredAt() {
      return state.answeredAt;
    },
  };
  const all = new OverdueGrace({
    clock: { ticks: () => state.now },
    gate,
    overdueGraceMs: GRACE_MS,
    deadlineMs: DEADLINE_MS,
  });
  return { state, all };
}

test("an event is past its deadline from that moment on", () => {
  expect([29_999, 30_000, 30_001].map((now) => isPastDeadline(0, now, DEADLINE_MS))).toEqual([false, true, true]);
});

describe("an overdue event waits", () => {
  test("for the grace where the service answers nothing after the event was read", () => {
    const { state, all } = grace();
    state.answeredAt = 9_999;

    expect(all.begin().endsAt()).toBe(12_000);
  });

  test("for the grace after the last answer, and one deadline at most", () => {
    const { state, all } = grace();
    const one = all.begin();

    const ends = [10_500, 37_999, 38_000, 39_000].map((answeredAt) => {
      state.answeredAt = answeredAt;
      return one.endsAt();
    });
    expect(ends).toEqual([12_500, 39_999, 40_000, 40_000]);
  });

  test("no longer than the deadline, where the grace is longer", () => {
    const all = new OverdueGrace({
      ...{ clock: { ticks: () => 0 }, gate: { answeredAt: 0 } },
      ...{ overdueGraceMs: 60_000, deadlineMs: DEADLINE_MS },
    });

    expect([all.begin().endsAt(), all.begin().putOffUntil()]).toEqual([30_000, 30_000]);
  });
});

describe("an overdue event is put off without a verdict", () => {
  test("until the grace ends, where no overdue event is answered", () => {
    const { state, all } = grace();
    state.answeredAt = 11_900;

    expect(all.begin().putOffUntil()).toBe(12_000);
  });

  test("until one deadline after it was read, as long as others are answered", () => {
    const { state, all } = grace();
    const one = all.begin();
    all.eventAnswered();
    state.now = 11_999;
    expect(one.putOffUntil()).toBe(40_000);

    state.now = 12_000;
    expect(one.putOffUntil()).toBe(12_000);
  });
});
