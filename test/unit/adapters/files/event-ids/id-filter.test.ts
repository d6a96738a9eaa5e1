import { expect, test } from "vitest";
import { IdFilter } from "../../../../../src/adapters/files/event-ids/id-filter.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";

const IDS = 100_000;

function words(seed: number, count = IDS) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => [Math.floor(random() * 2 ** 32) | 0, Math.floor(random() * 2 ** 32) | 0]);
}

test("may hold all added ids, and when it is full one in a hundred of the others", () => {
  const filter = new IdFilter(IDS);
  for (const [place = 0, bits = 0] of words(1)) filter.add(place, bits);

  expect(words(1).filter(([place = 0, bits = 0]) => !filter.mayHave(place, bits))).toEqual([]);
  const wrong = words(2).filter(([place = 0, bits = 0]) => filter.mayHave(place, bits)).length;
  expect(wrong / IDS).toBeGreaterThan(0.005);
  expect(wrong / IDS).toBeLessThan(0.015);
});

test("holds no id before any was added", () => {
  const filter = new IdFilter(IDS);

  expect(words(1).filter(([place = 0, bits = 0]) => filter.mayHave(place, bits))).toEqual([]);
});

test("a filter for few ids includes its first and last slot", () => {
  const filter = new IdFilter(1);
  const all = [
    [0, 0],
    [-1, -1],
  ];
  for (const [place = 0, bits = 0] of all) filter.add(place, bits);

  expect(all.map(([place = 0, bits = 0]) => filter.mayHave(place, bits))).toEqual([true, true]);
  expect(filter.mayHave(0, 0x01020304)).toBe(false);
});
