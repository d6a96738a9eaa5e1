import { expect, test } from "vitest";
import { foldersByPartition, keysBetween, keysInOrder } from "../../../../src/archive/audit/audit-keys.ts";
import type { ListedObject } from "../../../../src/archive/object-store.ts";

const at = { topic: "verdicts", partition: 3 };
const key = (date: string, start: number, partition = 3) =>
  `v1/verdicts/dt=${date}/p=${String(partition).padStart(5, "0")}/${String(start).padStart(20, "0")}.ndjson.gz`;
const { signal } = new AbortController();

/** A listing of these keys, and the requests to it. */
function storeOf(keys: readonly string[]) {
  const asked: string[] = [];
  return {
    asked,
    async *list(prefix: string): AsyncGenerator<ListedObject> {
      asked.push(prefix);
      for (const each of keys.toSorted()) if (each.startsWith(prefix)) yield { key: each, bytes: 0 };
    },
  };
}

async function all(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const each of keys) found.push(each);
  return found;
}

test("keys come by their starts, whatever their dates, and one start under two dates comes twice", async () => {
  const keys = [
    key("2026-01-01", 0),
    key("2026-01-02", 5),
    key("2026-01-01", 9),
    key("2026-01-02", 12),
    key("2026-01-03", 12),
    key("2026-01-03", 20),
  ];
  const store = storeOf([...keys, key("2026-01-02", 1, 4)]);
  const listed: number[] = [];
  const folders = await foldersByPartition("verdicts", {
    store: { ...store, head: async () => undefined, lines: async () => undefined, text: async () => undefined },
    signal,
    onFinding: () => undefined,
    onListed: (count) => listed.push(count),
  });

  expect([...folders.keys()].sort()).toEqual([3, 4]);
  expect(listed.at(-1)).toBe(7);
  expect(await all(keysInOrder(at, folders.get(3) ?? new Map(), store, signal))).toEqual(keys);
  expect(await all(keysInOrder({ ...at, partition: 4 }, folders.get(4) ?? new Map(), store, signal))).toEqual([
    key("2026-01-02", 1, 4),
  ]);
});

test("the range between two keys is listed again on every day between their dates", async () => {
  const late = [key("2026-01-30", 8), key("2026-01-31", 9), key("2026-02-02", 15)];
  const store = storeOf([key("2026-01-30", 7), ...late, key("2026-02-02", 20), key("2026-02-03", 17)]);
  const between = [key("2026-01-30", 7), key("2026-02-02", 20)] as const;

  expect(await all(keysBetween(at, between, store, signal))).toEqual(late);
  expect(store.asked.map((prefix) => prefix.slice(15, 25))).toEqual([
    "2026-01-30",
    "2026-01-31",
    "2026-02-01",
    "2026-02-02",
  ]);
});

test("dates that are centuries apart, or invalid, cost no request per day", async () => {
  const far = storeOf([]);
  await all(keysBetween(at, [key("2026-01-30", 7), key("9999-12-31", 20)], far, signal));
  expect(far.asked.length).toBe(401);
  const none = storeOf([]);
  await all(keysBetween(at, [key("2026-99-99", 7), key("2026-99-99", 20)], none, signal));
  expect(none.asked).toEqual([]);
});
