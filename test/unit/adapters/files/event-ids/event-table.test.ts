import { expect, test } from "vitest";
import { EventTable, entryIn, firstSlot } from "../../../../../src/adapters/files/event-ids/event-table.ts";
import { ID_WORDS } from "../../../../../src/adapters/files/event-ids/event-words.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";

const CAPACITY = 12;
/** The hash with which a search begins at the last slot, for any number of slots. */
const LAST = -1;

const times = (count: number) => Array.from({ length: count }, (_, i) => i);
/** @param id that selects the first slot of a search; the other words come from `content`. */
const event = (id: number, content: number, name: number, check = 0) =>
  Int32Array.of(id, content, content, content, name, check);

function add(table: EventTable, each: Int32Array) {
  const sight = table.look(each);
  if (sight !== "repeated") table.add(each);
  return sight;
}

/** The total number of slots that all searches by id visit. */
function stepsById({ slots, ids }: EventTable): number {
  let steps = 0;
  for (const [at, slot] of slots.entries()) {
    if (slot === 0) continue;
    const first = firstSlot(ids[ID_WORDS * entryIn(slot)] ?? 0, slots.length);
    steps += (at - first + slots.length) % slots.length;
  }
  return steps;
}

test("an event is new once, and conflicts with a different event that has its name", () => {
  const table = new EventTable(CAPACITY);
  const [first, other, stranger] = [event(1, 1, 7), event(2, 2, 7), event(3, 3, 8)];

  expect([first, first, other, stranger, other, first, stranger].map((each) => add(table, each))).toEqual([
    "new",
    "repeated",
    "conflicting",
    "new",
    "repeated",
    "repeated",
    "repeated",
  ]);
});

test("names with the same slot are told apart by their second word", () => {
  const table = new EventTable(CAPACITY);
  const all = times(CAPACITY).map((i) => event(i, i, LAST, i));

  expect(all.map((each) => add(table, each))).toEqual(all.map(() => "new"));
  expect(all.map((each) => add(table, each))).toEqual(all.map(() => "repeated"));
});

test("events of one name with the same slot are told apart by each word of their ids", () => {
  const table = new EventTable(CAPACITY);
  const differing = [0, 1, 2, 3].map((word) => event(LAST, 5, 7).with(word, 6));
  const all = [event(LAST, 5, 7), ...differing];

  expect(all.map((each) => add(table, each))).toEqual(["new", ...differing.map(() => "conflicting")]);
  expect(all.map((each) => add(table, each))).toEqual(all.map(() => "repeated"));
});

test("a search by name skips events of another name", () => {
  const table = new EventTable(CAPACITY);
  for (const i of times(4)) add(table, event(LAST, i, 0, 1));

  expect([event(9, 9, LAST), event(10, 10, LAST)].map((each) => add(table, each))).toEqual(["new", "conflicting"]);
});

test("196,608 events of one name are each found within a few slots", () => {
  const table = new EventTable(196_608);
  const random = seededRandom(1);
  const word = () => Math.floor(random() * 2 ** 32) | 0;
  while (!table.isFull) add(table, event(word(), word(), 7));

  // 1.5 slots each, for a full table. The first event is at the slot of its name.
  expect(stepsById(table) / 196_608).toBeLessThan(3);
});

test("after indexing by id, a search by id finds each event", () => {
  const table = new EventTable(CAPACITY);
  for (const i of times(CAPACITY)) add(table, event(LAST - i, i, i));

  table.indexById();

  const entries = [...table.slots].filter((slot) => slot !== 0).map(entryIn);
  expect(entries.toSorted((a, b) => a - b)).toEqual(times(CAPACITY));
  // All searches begin at the last slot: the search for event n visits n - 1 slots.
  expect(stepsById(table)).toBe((CAPACITY * (CAPACITY - 1)) / 2);
});

test("the table is full at its capacity, and empty after a clear", () => {
  const table = new EventTable(CAPACITY);
  const all = times(CAPACITY).map((i) => event(i, i, i));

  expect(all.map((each) => [add(table, each), table.isFull])).toEqual(all.map((_, i) => ["new", i === CAPACITY - 1]));
  table.clear();
  expect([table.isFull, ...all.map((each) => add(table, each))]).toEqual([false, ...all.map(() => "new")]);
});
