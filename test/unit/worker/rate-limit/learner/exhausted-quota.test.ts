import { describe, expect, test } from "vitest";
import { ExhaustedQuota, type QuotaPatience } from "../../../../../src/worker/rate-limit/learner/exhausted-quota.ts";

const first = { sentAt: 1_000 };
/** A random value of one half means no jitter. */
const middle = () => 0.5;
const usedUp = (own: Partial<QuotaPatience> = {}, random = middle) =>
  new ExhaustedQuota(
    first,
    1_030,
    { firstMs: 100, doubles: false, slowMs: 40, graceMs: 0, overtakeMs: 30, ...own },
    random,
  );

describe("a used-up quota", () => {
  test("is probed after the first wait, with a jitter of a quarter", () => {
    expect(usedUp().waitMs(1_030)).toBe(100);
    expect(usedUp({}, () => 0).waitMs(1_030)).toBe(75);
    expect(usedUp().waitMs(1_090)).toBe(40);
    expect(usedUp().waitMs(2_000)).toBe(0);
  });

  test("is probed by one request at a time, and again no sooner than after the first wait", () => {
    const quota = usedUp();
    quota.judged(first);
    const flight = { sentAt: 1_130 };
    quota.sent(flight);
    expect(quota.waitMs(1_140)).toBe(90);
    expect(quota.isOpenedBy({ sentAt: 1_010 })).toBe(false);
    expect(quota.isOpenedBy(flight)).toBe(true);
  });

  test("is probed by the next request when a probe is lost", () => {
    const quota = usedUp();
    const flight = { sentAt: 1_130 };
    quota.sent(flight);
    quota.undecided({ sentAt: 1_020 });
    expect(quota.waitMs(1_140)).toBe(90);
    quota.undecided(flight);
    expect(quota.waitMs(1_140)).toBe(0);
  });

  test("is probed less often the longer it is used up, and at least once a minute", () => {
    const quota = usedUp();
    quota.judged(first);
    const waits = [10_000, 60_000, 1_000_000].map((now) => {
      const flight = { sentAt: now - 30 };
      quota.sent(flight);
      quota.refused(flight, now);
      quota.judged(flight);
      return quota.waitMs(now);
    });
    expect(waits).toEqual([900, 5_900, 60_000]);
    expect([quota.refusals, quota.lastRefusedAt, quota.begunAt]).toEqual([4, 999_970, 1_000]);
  });

  test("is probed after waits that double up to sixteen times the first one, outside a measurement", () => {
    const quota = usedUp({ doubles: true });
    const waits = [1_200, 1_500, 2_000, 3_000, 4_000].map((now) => {
      const flight = { sentAt: now - 30 };
      quota.sent(flight);
      quota.refused(flight, now);
      return quota.waitMs(now);
    });
    expect(waits).toEqual([200, 400, 800, 1_600, 1_600]);
  });

  test("is probed without regard to requests that were in flight at the first 429", () => {
    const quota = usedUp();
    quota.refused({ sentAt: 1_020 }, 1_060);
    expect(quota.waitMs(1_060)).toBe(70);
    quota.judged(first);
    quota.judged({ sentAt: 1_020 });
    expect([quota.refusals, quota.lastRefusedAt]).toEqual([2, 1_020]);
  });

  test("stops no request in the grace period, and any request sent after the first refused one opens it", () => {
    const quota = usedUp({ graceMs: 60, overtakeMs: 0 });
    quota.judged(first);
    quota.sent({ sentAt: 1_080 });
    expect(quota.waitMs(1_080)).toBe(0);
    expect(quota.isOpenedBy({ sentAt: 1_001 })).toBe(true);
    expect(quota.isOpenedBy({ sentAt: 1_000 })).toBe(false);
    expect(quota.waitMs(1_090)).toBe(40);
  });
});

describe("a used-up quota for which a realtime event waits", () => {
  const quota = (own: Partial<QuotaPatience> = {}) => usedUp({ doubles: true, firstMs: 250, slowMs: 100, ...own });

  test("is probed as soon as at its slowest pace, whatever the wait of other requests", () => {
    expect([false, true].map((isUrgent) => quota().waitMs(1_030, isUrgent))).toEqual([250, 100]);
    expect(quota({ slowMs: 600 }).waitMs(1_030, true)).toBe(250);
    expect(quota().waitMs(2_000, true)).toBe(0);
  });

  test("is probed less often the longer it is used up, as for other requests", () => {
    const used = quota();
    const flight = { sentAt: 9_970 };
    used.sent(flight);
    used.refused(flight, 10_000);
    expect([false, true].map((isUrgent) => used.waitMs(10_000, isUrgent))).toEqual([900, 900]);
  });

  test("is probed once more while a probe is in flight, and no more often", () => {
    const used = quota();
    const flights = [{ sentAt: 1_130 }, { sentAt: 1_230 }];
    for (const flight of flights) {
      used.sent(flight);
      expect(used.waitMs(flight.sentAt + 10, true)).toBe(flight === flights[0] ? 90 : 490);
    }
  });

  test("is probed one at a time once it is known to be used up for more than 1.5 s", () => {
    const used = quota();
    used.refused({ sentAt: 2_501 }, 2_531);
    used.sent({ sentAt: 3_000 });
    expect(used.waitMs(9_000, true)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a used-up quota where answers are slow", () => {
  /** The first 429 came after a second. */
  const slow = (own: Partial<QuotaPatience> = {}) =>
    new ExhaustedQuota(
      first,
      2_000,
      { firstMs: 100, doubles: true, slowMs: 40, graceMs: 0, overtakeMs: 30, ...own },
      middle,
    );

  test("is probed several times before the first probe is answered, less often the longer it is used up", () => {
    const quota = slow();
    quota.sent({ sentAt: 2_100 });
    expect(quota.waitMs(2_100)).toBe(40);
    quota.refused({ sentAt: 1_800 }, 2_110);
    quota.sent({ sentAt: 2_140 });
    expect(quota.waitMs(2_140)).toBe(0.25 * 800);
  });

  test("is probed one at a time after more than 1.5 s, even where answers are slow", () => {
    const quota = slow();
    quota.sent({ sentAt: 2_500 });
    quota.refused({ sentAt: 2_500 }, 3_500);
    expect(quota.waitMs(3_500)).toBe(0);
    quota.refused({ sentAt: 2_501 }, 3_500);
    expect(quota.waitMs(3_500)).toBe(Number.POSITIVE_INFINITY);
  });

  test("is not probed again while a probe has no answer for more than 3 s", () => {
    const quota = slow();
    quota.sent({ sentAt: 2_100 });
    expect([quota.waitMs(5_100), quota.waitMs(5_101)]).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  test("is probed again at once after an accepted probe, though later answers may say that it is not open", () => {
    const quota = slow();
    const flight = { sentAt: 2_100 };
    quota.sent(flight);
    quota.taken(flight, 2_120);
    expect(quota.waitMs(2_120)).toBe(0);
  });

  test("is opened by a request sent more than 30 ms after the refused ones, or only by a probe", () => {
    const [untold, told] = [slow(), slow({ overtakeMs: Number.POSITIVE_INFINITY })];
    expect(untold.isOpenedBy({ sentAt: 2_000 })).toBe(false);
    for (const quota of [untold, told]) quota.judged(first);
    expect([1_030, 1_031, 2_000].map((sentAt) => untold.isOpenedBy({ sentAt }))).toEqual([false, true, true]);
    expect([1_031, 1_999, 2_000].map((sentAt) => told.isOpenedBy({ sentAt }))).toEqual([false, false, true]);
    untold.judged({ sentAt: 2_100 });
    expect([2_000, 2_099, 2_100].map((sentAt) => untold.isOpenedBy({ sentAt }))).toEqual([false, false, true]);
  });
});
