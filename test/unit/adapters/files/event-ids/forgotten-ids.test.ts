import path from "node:path";
import { expect, test } from "vitest";
import { EventTable } from "../../../../../src/adapters/files/event-ids/event-table.ts";
import { ForgottenIds } from "../../../../../src/adapters/files/event-ids/forgotten-ids.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const times = (count: number) => Array.from({ length: count }, (_, i) => i);
/** An event with its own name. */
const event = (first: number, second: number, third: number, fourth: number, name: number) =>
  Int32Array.of(first, second, third, fourth, name, 0);

async function forgotten(capacity: number) {
  const ids = new ForgottenIds(path.join(await emptyFolder(), "ids.tmp"), capacity);
  return {
    ids,
    /** Adds enough events to fill some tables. */
    add(events: readonly Int32Array[]) {
      for (let from = 0; from < events.length; from += capacity) {
        const table = new EventTable(capacity);
        for (const each of events.slice(from, from + capacity)) {
          expect(table.look(each)).toBe("new");
          table.add(each);
        }
        ids.add(table);
      }
    },
    /** Whether each event is present. */
    found: (events: readonly Int32Array[]) => events.map((each) => ids.has(each)),
  };
}

test("finds every stored id in any of many tables, and no other id", async () => {
  const random = seededRandom(1);
  const word = () => Math.floor(random() * 2 ** 32) | 0;
  const events = times(1_000).map((i) => event(word(), word(), word(), word(), i));
  const { ids, add, found } = await forgotten(3);

  // More tables than the first filters cover, and more than one filter of 64 would hold.
  for (let tables = 0; tables < 200; tables++) {
    add(events.slice(3 * tables, 3 * tables + 3));
    expect(ids.has(events[0] ?? event(0, 0, 0, 0, 0))).toBe(true);
  }

  expect(found(events)).toEqual(events.map((_, i) => i < 600));
  ids.close();
});

test("hardly ever reads the file for an absent id", async () => {
  const random = seededRandom(1);
  const word = () => Math.floor(random() * 2 ** 32) | 0;
  const events = times(4_000).map((i) => event(word(), word(), word(), word(), i));
  const { ids, add } = await forgotten(192);
  add(events.slice(0, 1_920));
  ids.close();
  // A read finds the file empty, since the file was truncated.
  const isRead = (each: Int32Array) => {
    try {
      return ids.has(each);
    } catch {
      return true;
    }
  };

  expect(events.slice(0, 1_920).filter(isRead)).toHaveLength(1_920);
  expect(events.slice(1_920).filter(isRead).length).toBeLessThan(42);
  ids.close();
});

test("an absent id that the filter does not rule out is looked up in the file", async () => {
  const { ids, add, found } = await forgotten(12);
  add(times(12).map((i) => event(i, 5, 6, 7, i)));

  const others = [event(12, 5, 6, 7, 0), event(3, 5, 6, 8, 0), event(3, 5, 0x06060606, 7, 0)];
  expect(found([event(3, 5, 6, 7, 0), ...others])).toEqual([true, false, false, false]);
  ids.close();
});

test("ids that all map to the last slot are told apart, however far the search wraps around", async () => {
  const { ids, add, found } = await forgotten(192);
  add(times(192).map((i) => event(-1, 5, 6, i, i)));

  expect(found(times(193).map((i) => event(-1, 5, 6, i, i)))).toEqual(times(193).map((i) => i < 192));
  ids.close();
});
