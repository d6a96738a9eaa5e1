import { expect, test } from "vitest";
import { RecentIds } from "../../../../src/adapters/files/recent-ids.ts";
import { sha256 } from "../../../../src/kernel/sha256.ts";

test("an id is new once", () => {
  const ids = new RecentIds();

  expect(["a", "b", "a", "c", "b"].map((text) => ids.add(sha256(text)))).toEqual([true, true, false, true, false]);
});

test("ids that share a slot are told apart", () => {
  const ids = new RecentIds();
  const twins = Array.from({ length: 100 }, (_, i) => `00000001${i.toString(16).padStart(56, "0")}`.slice(0, 64));
  const distinct = twins.map((id, i) => `${id.slice(0, 8)}${i.toString(16).padStart(8, "0")}${id.slice(16)}`);

  expect(distinct.map((id) => ids.add(id))).toEqual(new Array(100).fill(true));
  expect(distinct.map((id) => ids.add(id))).toEqual(new Array(100).fill(false));
});

test("the last 196,608 are remembered, whatever came before them", () => {
  const ids = new RecentIds();
  const idOf = (i: number) => (i * 2_654_435_761).toString(16).padStart(64, "0").split("").reverse().join("");
  for (let i = 1; i <= 500_000; i++) ids.add(idOf(i));

  let forgotten = 0;
  for (let i = 500_000 - 196_608; i <= 500_000; i++) if (ids.add(idOf(i))) forgotten++;

  expect(forgotten).toBe(0);
  expect(ids.add(idOf(1))).toBe(true);
});
