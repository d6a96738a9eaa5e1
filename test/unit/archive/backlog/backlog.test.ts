import { expect, test } from "vitest";
import { Backlog } from "../../../../src/archive/backlog/backlog.ts";
import { oldestBehind } from "../../../../src/archive/backlog/oldest-behind.ts";

const place = (committed: number | undefined, end: number, earliest = 0) => ({
  committed,
  metadata: "",
  earliest,
  end,
});
const everyOne = () => true;

test("the backlog begins at the commit, or at the present start of the log", () => {
  const backlog = new Backlog();
  const places = [place(7, 9), place(9, 9), place(undefined, 3), place(2, 9, 5), place(undefined, 0), place(12, 4)];
  backlog.told(new Map(places.entries()), { ticks: 0, now: 1_000 });

  expect(backlog.behind).toEqual(
    new Map([
      [0, 7],
      [2, 0],
      [3, 5],
      // Another log than the committed one.
      [5, 0],
    ]),
  );
  expect(backlog.undated(0)).toEqual(backlog.behind);
});

test("what is known of a partition stands while it has no leader", () => {
  const backlog = new Backlog();
  backlog.told(new Map([[0, place(7, 9)]]), { ticks: 0, now: 1_000 });
  const without = { ...place(7, 0), isLeaderless: true };
  backlog.told(new Map([[0, without]]), { ticks: 30, now: 1_030 });
  expect([backlog.behind, backlog.still(30, everyOne).one]).toEqual([new Map([[0, 7]]), 30]);
});

test("what has come since the brokers told is no older than that; how old other things are must be found out", () => {
  const backlog = new Backlog();
  backlog.told(new Map([[0, place(7, 7)]]), { ticks: 0, now: 1_000 });
  backlog.told(new Map([[0, place(7, 9)]]), { ticks: 30, now: 1_030 });
  expect([backlog.oldestAt, backlog.undated(30).size]).toEqual([1_000, 0]);
  backlog.told(new Map([[0, place(7, 12)]]), { ticks: 60, now: 1_060 });
  expect(backlog.oldestAt).toBe(1_000);
  backlog.told(new Map([[0, place(8, 12)]]), { ticks: 90, now: 1_090 });
  expect([backlog.oldestAt, backlog.undated(90), backlog.undated(89).size]).toEqual([undefined, new Map([[0, 8]]), 0]);
  backlog.dated([0], 1_020);
  expect([backlog.oldestAt, backlog.undated(90).size]).toEqual([1_020, 0]);
  backlog.told(new Map([[0, place(12, 12)]]), { ticks: 120, now: 1_120 });
  expect([backlog.oldestAt, backlog.behind.size]).toEqual([undefined, 0]);
});

test("the lack of progress counts from the last progress, and absent brokers or an absent store excuse it", () => {
  const backlog = new Backlog();
  const told = (ticks: number, ...committed: readonly number[]) =>
    backlog.told(new Map(committed.map((each, i) => [i, place(each, 99)])), { ticks, now: ticks });
  told(100, 1, 1);
  told(200, 1, 2);
  expect(backlog.still(300, everyOne)).toEqual({ all: 100, one: 200 });
  expect(backlog.still(300, (partition) => partition === 0)).toEqual({ all: 200, one: 200 });
  expect(backlog.still(300, () => false)).toEqual({ all: 0, one: 0 });
  backlog.excused(280);
  expect(backlog.still(300, everyOne)).toEqual({ all: 20, one: 20 });
  told(400, 1, 99);
  // The last commit of the other partition still counts.
  expect(backlog.still(1_000, everyOne)).toEqual({ all: 600, one: 720 });
});

test.each([
  [0, 0],
  [15_000, 0],
  [15_001, 15_000],
  [100_000, 97_500],
  [7_200_000, 6_720_000],
  [604_800_000, 552_960_000],
])("a record that is %d ms old is found to be at least %d ms old, within eight questions", async (age, found) => {
  const now = Date.UTC(2026, 0, 1);
  let questions = 0;
  // The record at 7 was written then, the records before it long ago, and the record after it now.
  const firstSince = async (at: number) => {
    questions++;
    return new Map([[0, at <= now - age ? 7 : at <= now ? 8 : 9]]);
  };

  expect(now - (await oldestBehind(new Map([[0, 7]]), now, firstSince))).toBe(found);
  expect(questions).toBeLessThanOrEqual(8);
});
