import { expect, test } from "vitest";
import { RecentNames } from "../../../../src/adapters/files/recent-names.ts";
import { seededRandom } from "../../../../src/kernel/random.ts";

test("a name is new once a tenant", () => {
  const names = new RecentNames(seededRandom(1));
  const added = [
    ["", "a"],
    ["", "a"],
    ["t", "a"],
    ["ta", ""],
    ["", "ta"],
    ["t", "a"],
  ].map(([tenant = "", name = ""]) => names.add(tenant, name));

  expect(added).toEqual([true, false, true, true, true, false]);
});

test("of 400,000 names that count up, under eight seeds, none is taken for another while it is remembered", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const names = new RecentNames(seededRandom(seed));
    let taken = 0;
    for (let i = 0; i < 400_000; i++) if (!names.add("tenant", `event-${i}`)) taken++;
    expect([seed, taken]).toEqual([seed, 0]);
  }
});

test("names that differ in one letter, or in the order of two, are two", () => {
  const names = new RecentNames(seededRandom(7));
  const base = "0123456789abcdef0123456789abcdef";
  const changed = Array.from(
    base,
    (letter, i) => `${base.slice(0, i)}${letter === "f" ? "0" : "f"}${base.slice(i + 1)}`,
  );
  const swapped = Array.from(
    { length: base.length - 1 },
    (_, i) => `${base.slice(0, i)}${base[i + 1]}${base[i]}${base.slice(i + 2)}`,
  );
  const all = [...new Set([base, ...changed, ...swapped])];

  expect(all.map((name) => names.add("", name))).toEqual(new Array(all.length).fill(true));
  expect(all.map((name) => names.add("", name))).toEqual(new Array(all.length).fill(false));
});

test("the last 196,608 are remembered, whatever came before them", () => {
  const names = new RecentNames(seededRandom(3));
  for (let i = 1; i <= 500_000; i++) names.add("", `${i}`);

  let forgotten = 0;
  for (let i = 500_000 - 196_608; i <= 500_000; i++) if (names.add("", `${i}`)) forgotten++;

  expect(forgotten).toBe(0);
  expect(names.add("", "1")).toBe(true);
});
