import { describe, expect, test } from "vitest";
import { defaultBounds } from "../../src/worker/offsets/lane-bounds.ts";
import { SECOND } from "../support/running-groups.ts";
import { backlogEvent } from "./backlog-events.ts";
import { type CaughtUp, catchUp, PIECE } from "./catch-up-run.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60 * SECOND;
const DEADLINE_MS = 30 * SECOND;
const GRACE_MS = 2 * SECOND;
/** Verdicts an event, at most. */
const AN_EVENT = 1.05;
/** Overdue events in flight: half of the lane, and the records that are handed in together with the last of them. */
const MOST_IN_FLIGHT = defaultBounds.realtime.events / 2 + PIECE;
/** The run is virtual; only a busy machine needs so long. */
const TIMEOUT_MS = 600_000;

/** Events a second in a partition of their own. */
const beside = (perSecond: number) => ({ perSecond, partition: 1 }) as const;

const transactions = [
  { perSecond: 10, backlog: 1_500, fresh: beside(2) },
  { perSecond: 50, backlog: 3_000, fresh: beside(5) },
  { perSecond: 200, backlog: 6_000, fresh: beside(20) },
  { perSecond: 1_000, backlog: 10_000, fresh: beside(50) },
];
/** Deposits with tokens and transactions of each family: several requests an event, or many events a request. */
const mixtures = [10, 50, 200].map((perSecond) => ({ perSecond, backlog: 3_000, event: backlogEvent }));

function inTime({ fresh }: CaughtUp): number {
  return fresh.filter((each) => each.isInTime).length / fresh.length;
}

describe("a backlog of events that are past their deadline", () => {
  test.each(transactions)(
    "of $backlog transactions has one verdict each at $perSecond answers a second, and makes nothing beside it late",
    async (each) => {
      const ran = await catchUp({ ...each, ageMs: HOUR_MS, lastsMs: HOUR_MS });

      expect(ran.verdictsAnEvent).toBeLessThanOrEqual(AN_EVENT);
      expect([ran.read, ran.answered, ran.committed]).toEqual([each.backlog, each.backlog, each.backlog]);
      expect(ran.mostInFlight).toBeLessThanOrEqual(MOST_IN_FLIGHT);
      expect(inTime(ran)).toBe(1);
    },
    TIMEOUT_MS,
  );

  test.each(mixtures)(
    "of every kind has one verdict each at $perSecond requests a second",
    async (each) => {
      const ran = await catchUp({ ...each, ageMs: HOUR_MS, lastsMs: HOUR_MS });

      expect(ran.verdictsAnEvent).toBeLessThanOrEqual(AN_EVENT);
      expect([ran.read, ran.answered, ran.committed]).toEqual([each.backlog, each.backlog, each.backlog]);
    },
    TIMEOUT_MS,
  );

  test("is UNKNOWN within the grace while the service is silent, and is read on", async () => {
    const lasts = { ageMs: HOUR_MS, lastsMs: MINUTE_MS };
    const ran = await catchUp({ backlog: 10_000, perSecond: 50, isSilent: true, ...lasts });

    expect(ran.slowestMs).toBeLessThanOrEqual(GRACE_MS);
    expect([ran.read, ran.answered, ran.verdictsAnEvent]).toEqual([10_000, 0, 1]);
    expect(ran.committed).toBe(10_000);
    expect(ran.mostInFlight).toBeLessThanOrEqual(MOST_IN_FLIGHT);
  });
});

test.each([5, 9])(
  "after a minute without a worker, %i of 10 requests a second needed, fresh events are in time after one more minute",
  async (needed) => {
    const fresh = { perSecond: needed, partition: 0 } as const;
    const lasts = { ageMs: MINUTE_MS, lastsMs: 6 * MINUTE_MS };
    const ran = await catchUp({ backlog: 60 * needed, perSecond: 10, fresh, ...lasts });

    const recoveredMs = MINUTE_MS + DEADLINE_MS;
    const after = ran.fresh.filter(
      ({ writtenMs }) => writtenMs >= recoveredMs && writtenMs < lasts.lastsMs - DEADLINE_MS,
    );
    expect(after.length).toBeGreaterThan(200 * needed);
    expect(inTime({ ...ran, fresh: after })).toBe(1);
  },
  TIMEOUT_MS,
);
