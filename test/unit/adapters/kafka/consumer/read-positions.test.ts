import { describe, expect, test } from "vitest";
import { ReadPositions } from "../../../../../src/adapters/kafka/consumer/read-positions.ts";

const ZERO = { topic: "events", partition: 0 };
const ONE = { topic: "events", partition: 1 };

function begun(): ReadPositions {
  const places = new ReadPositions();
  places.joined([ZERO, ONE]);
  places.located([
    { ...ZERO, offset: 10 },
    { ...ONE, offset: 20 },
  ]);
  return places;
}

describe("the read positions of a generation", () => {
  test("holds back every partition of a generation until its position is known", () => {
    const places = new ReadPositions();
    places.joined([ZERO, ONE]);
    expect([ZERO, ONE].map((each) => places.isHeldBack(each))).toEqual([true, true]);
    expect(places.resumed([ZERO, ONE])).toEqual([]);
    expect(places.located([{ ...ZERO, offset: 10 }])).toEqual([{ ...ZERO, offset: 10 }]);
    expect(places.resumed([ZERO])).toEqual([ZERO]);
  });

  test("does not seek to the committed offset where the handler sought another one", () => {
    const places = new ReadPositions();
    places.joined([ZERO, ONE]);
    places.sought({ ...ONE, offset: 25 });
    const points = [
      { ...ZERO, offset: 10 },
      { ...ONE, offset: 20 },
    ];
    expect(places.located(points)).toEqual([{ ...ZERO, offset: 10 }]);
    expect(places.astray({ ...ONE, offset: 25 })).toBeUndefined();
  });

  test("forgets the seeks of the previous generation, and keeps the pauses", () => {
    const places = begun();
    places.sought({ ...ZERO, offset: 5 });
    places.paused([ONE]);
    places.joined([ZERO, ONE]);
    expect(places.located([{ ...ZERO, offset: 12 }])).toEqual([{ ...ZERO, offset: 12 }]);
    expect([ZERO, ONE].map((each) => places.isWanted(each))).toEqual([true, false]);
    expect([ZERO, ONE].map((each) => places.isHeldBack(each))).toEqual([false, true]);
    expect(places.located([{ ...ONE, offset: 3 }])).toEqual([{ ...ONE, offset: 3 }]);
    expect(places.resumed([ONE])).toEqual([ONE]);
    expect(places.isWanted(ONE)).toBe(true);
  });

  test("accepts a fetch at the position, and holds back a partition with a fetch from elsewhere", () => {
    const places = begun();
    expect(places.astray({ ...ZERO, offset: 10 })).toBeUndefined();
    places.passed(ZERO, 14);
    expect(places.astray({ ...ZERO, offset: 17 })).toBe(15);
    expect([ZERO, ONE].map((each) => places.isHeldBack(each))).toEqual([true, false]);
    places.foundBack({ ...ZERO, offset: 15 });
    expect(places.isHeldBack(ZERO)).toBe(false);
    expect(places.astray({ ...ZERO, offset: 15 })).toBeUndefined();
  });

  test("counts unread records by topic, for partitions that were fetched", () => {
    const places = begun();
    places.passed(ZERO, 14);
    const ends: Readonly<Record<number, number>> = { 0: 40, 1: 26 };

    expect(places.lag(() => undefined)).toEqual(new Map());
    expect(places.lag(({ partition }) => ends[partition])).toEqual(new Map([["events", 25 + 6]]));
    expect(places.lag(({ partition }) => (partition === 0 ? 12 : undefined))).toEqual(new Map([["events", 0]]));
  });
});
