import { expect, test } from "vitest";
import { EventWords, ID_WORDS, NAME, NAME_CHECK } from "../../../../../src/adapters/files/event-ids/event-words.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";

const NAMES = 200_000;
const id = sha256("an event");

function read(words: EventWords, tenant: string, name: string, verdictId = id) {
  words.read(tenant, name, verdictId);
  return [...words.words];
}

const nameOf = (words: EventWords, tenant: string, name: string) => read(words, tenant, name).slice(ID_WORDS).join();
const idIn = (words: EventWords, verdictId: string) => read(words, "", "", verdictId).slice(0, ID_WORDS);
/** Number of values that occurred before. */
const taken = (numbers: Float64Array) => numbers.toSorted().filter((number, i, all) => number === all[i - 1]).length;

test("128 bits of an id are kept, and each digit changes one word", () => {
  const words = new EventWords(seededRandom(1));
  const digits = "0123456789abcdef".repeat(2);
  const base = idIn(words, digits.padEnd(64, "0"));

  expect(base.slice(1)).toEqual([0x89abcdef, 0x01234567, 0x89abcdef].map((word) => word | 0));
  for (const [i, digit] of [...digits].entries()) {
    const others = [..."0123456789abcdef"].filter((other) => other !== digit);
    for (const other of others) {
      const changed = idIn(words, `${digits.slice(0, i)}${other}${digits.slice(i + 1)}`.padEnd(64, "0"));
      expect(changed.map((word, at) => word !== base[at])).toEqual(base.map((_, at) => at === Math.floor(i / 8)));
    }
  }
});

test("the slot of an id differs between runs, and its other words do not", () => {
  const [first = [], second = []] = [1, 2].map((seed) => idIn(new EventWords(seededRandom(seed)), id));

  expect(first[0]).not.toBe(second[0]);
  expect(first.slice(1)).toEqual(second.slice(1));
});

test("names of two tenants differ, and no part of a name counts as a part of the tenant", () => {
  const words = new EventWords(seededRandom(1));
  const pairs = [
    ["", ""],
    ["", "a"],
    ["t", "a"],
    ["ta", ""],
    ["", "ta"],
    ["at", ""],
  ];
  const all = () => pairs.map(([tenant = "", name = ""]) => nameOf(words, tenant, name));

  expect(new Set(all()).size).toBe(pairs.length);
  expect(all()).toEqual(all());
});

test("an unpaired surrogate in a name or a tenant reads as in a verdict id", () => {
  const words = new EventWords(seededRandom(1));
  const halves = ["\ud800", "\ud801", "\udfff", "\ufffd"];

  expect(new Set(halves.map((half) => nameOf(words, "t", `a${half}`))).size).toBe(1);
  expect(new Set(halves.map((half) => nameOf(words, half, "a"))).size).toBe(1);
  expect(nameOf(words, "\ud83d", "\ude00")).not.toBe(nameOf(words, "", "\ud83d\ude00"));
});

test("names that differ in one letter, or in the order of two letters, are distinct", () => {
  const words = new EventWords(seededRandom(7));
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

  expect(new Set(all.map((name) => nameOf(words, "", name))).size).toBe(all.length);
});

test("sequential names lead to as many slots as random names", () => {
  const words = new EventWords(seededRandom(1));
  const slots = new Set<number>();
  for (let i = 0; i < NAMES; i++) {
    words.read("tenant", `event-${i}`, id);
    slots.add((words.words[NAME] ?? 0) >>> 14);
  }

  const byChance = 2 ** 18 * (1 - Math.exp(-NAMES / 2 ** 18));
  expect(Math.abs(slots.size / byChance - 1)).toBeLessThan(0.005);
});

test("of 200,000 sequential names under four seeds, no two are equal, and single words hardly ever are", () => {
  for (let seed = 1; seed <= 4; seed++) {
    const words = new EventWords(seededRandom(seed));
    const [names, checks, both] = [0, 1, 2].map(() => new Float64Array(NAMES));
    for (let i = 0; i < NAMES; i++) {
      words.read("tenant", `event-${i}`, id);
      const [name, check] = [words.words[NAME] ?? 0, (words.words[NAME_CHECK] ?? 0) >>> 0];
      if (names) names[i] = name;
      if (checks) checks[i] = check;
      if (both) both[i] = name * 2 ** 21 + (check >>> 11);
    }
    // 5 are expected by chance.
    expect([seed, ...[names, checks].map((words) => taken(words ?? new Float64Array()) < 20)]).toEqual([
      seed,
      true,
      true,
    ]);
    expect([seed, taken(both ?? new Float64Array())]).toEqual([seed, 0]);
  }
});
