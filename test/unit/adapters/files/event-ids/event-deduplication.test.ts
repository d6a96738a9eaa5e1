import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { EventDeduplication } from "../../../../../src/adapters/files/event-ids/event-deduplication.ts";
import { OutputUnwritableError } from "../../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { emptyFolder } from "../../../../support/folder.ts";

/** More events than memory holds. */
const MANY = 480_000;

const times = (count: number) => Array.from({ length: count }, (_, i) => i);
const hex = (number: number) => (number >>> 0).toString(16).padStart(8, "0");
const spread = (i: number) => hex(Math.imul(i + 1, 2_654_435_761));
/** Distinct ids, evenly spread in each of the kept words. */
const idOf = (i: number) => `${spread(i)}${spread(i + 7_000_000)}${spread(i + 14_000_000)}${hex(i)}`.padEnd(64, "0");

async function seenEvents(capacity?: number) {
  const folder = await emptyFolder();
  const seen = new EventDeduplication(path.join(folder, "ids.tmp"), seededRandom(1), capacity);
  return {
    folder,
    seen,
    /** @param content from which the id is made. */
    add: (tenant: string, name: string, content: string) =>
      seen.add(tenant, name, sha256(JSON.stringify([tenant, name, content]))),
    /** Adds events with distinct names. */
    fill(from: number, to: number) {
      const counted = { new: 0, repeated: 0, conflicting: 0 };
      for (let i = from; i < to; i++) counted[seen.add("", `event-${i}`, idOf(i))]++;
      return counted;
    },
  };
}

test("an event is new once, and conflicts with a different event that has the same id and tenant", async () => {
  const { add } = await seenEvents();
  const events: [string, string, string][] = [
    ["", "a", "x"],
    ["", "a", "x"],
    ["", "a", "y"],
    ["t", "a", "x"],
    ["ta", "", "x"],
    ["", "ta", "x"],
    ["", "a", "y"],
    ["t", "a", "y"],
    ["", "a", "x"],
  ];

  expect(events.map((event) => add(...event))).toEqual([
    "new",
    "repeated",
    "conflicting",
    "new",
    "new",
    "new",
    "repeated",
    "conflicting",
    "repeated",
  ]);
});

test("no event is taken for another, none is forgotten, and the last 196,608 names are known", async () => {
  const { seen, fill } = await seenEvents();
  expect(fill(0, MANY)).toEqual({ new: MANY, repeated: 0, conflicting: 0 });

  let conflicting = 0;
  for (let i = MANY - 196_608; i < MANY; i += 96)
    if (seen.add("", `event-${i}`, idOf(MANY + i)) === "conflicting") conflicting++;
  expect(conflicting).toBe(2_048);
  let repeated = 0;
  for (let i = 0; i < MANY; i += 12) if (seen.add("", `event-${i}`, idOf(i)) === "repeated") repeated++;
  expect(repeated).toBe(40_000);
  expect(seen.add("", "event-1", idOf(2 * MANY))).toBe("new");
  seen.close();
});

test("a name that comes again after it left memory is known", async () => {
  const { add, fill, seen } = await seenEvents(12);
  add("", "a", "x");
  fill(0, 24);
  expect(add("", "a", "x")).toBe("repeated");

  expect(add("", "a", "y")).toBe("conflicting");
  seen.close();
});

test("any number of events with one name are told apart, in memory and in the file", async () => {
  const { seen } = await seenEvents(12_288);
  const ids = times(40_000).map(idOf);

  expect(seen.add("", "a", idOf(0))).toBe("new");
  expect(new Set(ids.slice(1).map((id) => seen.add("", "a", id)))).toEqual(new Set(["conflicting"]));
  expect(new Set(ids.map((id) => seen.add("", "a", id)))).toEqual(new Set(["repeated"]));
  seen.close();
});

test("the file has no name, and does not exist before memory is full", async () => {
  const { seen, folder, fill } = await seenEvents(12);
  fill(0, 24);

  expect(await readdir(folder)).toEqual([]);
  seen.close();
});

test("a file that cannot be made is reported", async () => {
  const seen = new EventDeduplication(path.join(await emptyFolder(), "nowhere", "ids.tmp"), seededRandom(1), 12);
  const add = (i: number) => seen.add("", `event-${i}`, idOf(i));

  for (let i = 0; i < 23; i++) add(i);
  expect(() => add(23)).toThrow(OutputUnwritableError);
});
