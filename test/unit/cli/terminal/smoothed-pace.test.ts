import { expect, test } from "vitest";
import { SmoothedPace } from "../../../../src/cli/terminal/smoothed-pace.ts";

/** The pace after each second of a run with this many events a second. */
function pacesOf(perSecond: (second: number) => number, seconds: number): readonly (number | undefined)[] {
  const pace = new SmoothedPace();
  let done = 0;
  return Array.from({ length: seconds }, (_, i) => {
    done += perSecond(i);
    return pace.add(done, (i + 1) * 1_000);
  });
}

test("at the beginning the pace says nothing", () => {
  expect(pacesOf(() => 50, 3)).toEqual([undefined, 50, 50]);
});

test("bursts do not move it much", () => {
  const paces = pacesOf((second) => (second % 10 === 0 ? 500 : 0), 300).slice(100);

  expect(Math.min(...paces.map(Number))).toBeGreaterThan(35);
  expect(Math.max(...paces.map(Number))).toBeLessThan(65);
});

test("a run that becomes slower shows it, where its average would hide it", () => {
  const paces = pacesOf((second) => (second < 1_000 ? 100 : 10), 1_100);

  expect(Number(paces.at(-1))).toBeLessThan(15);
});

test("two looks at one time are one look", () => {
  const pace = new SmoothedPace();
  pace.add(100, 10_000);

  expect(pace.add(100, 10_000)).toBe(10);
});
