import { describe, expect, test } from "vitest";
import { type Patience, UsedUp } from "../../../../src/worker/pace/used-up.ts";

const first = { sentAt: 1_000 };
/** Half of it is no jitter at all. */
const middle = () => 0.5;
const usedUp = (own: Partial<Patience> = {}, random = middle) =>
  new UsedUp(first, 1_030, { firstMs: 100, doubles: false, graceMs: 0, ...own }, random);

describe("a quota that is used up", () => {
  test("is asked again after the first wait, jittered by a quarter", () => {
    expect(usedUp().waitMs(1_030)).toBe(100);
    expect(usedUp({}, () => 0).waitMs(1_030)).toBe(75);
    expect(usedUp().waitMs(1_090)).toBe(40);
    expect(usedUp().waitMs(2_000)).toBe(0);
  });

  test("is asked by one request at a time", () => {
    const quota = usedUp();
    const flight = { sentAt: 1_130 };
    quota.sent(flight);
    expect(quota.waitMs(1_140)).toBe(Number.POSITIVE_INFINITY);
    expect(quota.isOpenedBy({ sentAt: 1_010 })).toBe(false);
    expect(quota.isOpenedBy(flight)).toBe(true);
  });

  test("is asked by the next one when that one is lost", () => {
    const quota = usedUp();
    const flight = { sentAt: 1_130 };
    quota.sent(flight);
    quota.undecided({ sentAt: 1_020 });
    expect(quota.waitMs(1_140)).toBe(Number.POSITIVE_INFINITY);
    quota.undecided(flight);
    expect(quota.waitMs(1_140)).toBe(0);
  });

  test("is asked the less often the longer it stays so, and at least once a minute", () => {
    const quota = usedUp();
    const waits = [10_000, 60_000, 1_000_000].map((now) => {
      const flight = { sentAt: now - 30 };
      quota.sent(flight);
      quota.refused(flight, now);
      return quota.waitMs(now);
    });
    expect(waits).toEqual([900, 5_900, 60_000]);
    expect([quota.refusals, quota.lastRefusedAt, quota.begunAt]).toEqual([4, 999_970, 1_000]);
  });

  test("is asked after waits that double, up to sixteen times the first, for whoever does not measure", () => {
    const quota = usedUp({ doubles: true });
    const waits = [1_200, 1_500, 2_000, 3_000, 4_000].map((now) => {
      const flight = { sentAt: now - 30 };
      quota.sent(flight);
      quota.refused(flight, now);
      return quota.waitMs(now);
    });
    expect(waits).toEqual([200, 400, 800, 1_600, 1_600]);
  });

  test("is not put off by those that were on their way when the first one came back", () => {
    const quota = usedUp();
    quota.refused({ sentAt: 1_020 }, 1_060);
    expect(quota.waitMs(1_060)).toBe(70);
    expect([quota.refusals, quota.lastRefusedAt]).toEqual([2, 1_020]);
  });

  test("in a time of grace stops nobody, and is opened by whatever left after the first refused one", () => {
    const quota = usedUp({ graceMs: 60 });
    quota.sent({ sentAt: 1_080 });
    expect(quota.waitMs(1_080)).toBe(0);
    expect(quota.isOpenedBy({ sentAt: 1_001 })).toBe(true);
    expect(quota.isOpenedBy({ sentAt: 1_000 })).toBe(false);
    expect(quota.waitMs(1_090)).toBe(40);
  });
});
