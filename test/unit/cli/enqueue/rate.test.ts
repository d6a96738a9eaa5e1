import { expect, test } from "vitest";
import { parseRate, Rate } from "../../../../src/cli/enqueue/rate.ts";

test.each([
  ["1000/s", 1],
  ["600/min", 0.01],
])("%s is %f a millisecond", (text, perMs) => {
  expect(parseRate(text)).toBe(perMs);
});

test.each(["", "0/s", "1000", "10/h", "1.5/s", "-1/s"])("%j is no rate", (text) => {
  expect(() => parseRate(text)).toThrow(`--rate ${text}: must look like 1000/s or 600/min`);
});

test("slots are evenly spaced, and a pause gives back at most a tenth of a second", () => {
  const rate = new Rate(0.1);

  expect([0, 0, 0, 10].map((now) => rate.turn(now))).toEqual([0, 0, 0, 0]);
  expect(Array.from({ length: 12 }, () => rate.turn(10_000)).map(Math.round)).toEqual([
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10,
  ]);
});
