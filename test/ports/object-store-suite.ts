import { expect, type TestAPI } from "vitest";
import { type ArchiveObject, after, type Position, type StoredObject } from "../../src/archive/object.ts";
import type { ObjectStore } from "../../src/archive/object-store.ts";
import { objectAt } from "./archive-store-suite.ts";

const start: Position = { topic: "verdicts", partition: 7, next: 0, previousSha256: "" };
const never = new AbortController().signal;

/** The part of an object that a store has to know. */
const stored = ({ key, metadata }: ArchiveObject): StoredObject => ({ key, metadata });

/** The contract of every `ObjectStore`. `test` comes from the project, which may skip it. */
export function objectStoreSuite(
  name: string,
  test: TestAPI | ReturnType<TestAPI["skipIf"]>,
  open: () => Promise<ObjectStore>,
): void {
  test(`${name}: an object that was put is there, with its metadata and its lines`, async () => {
    const store = await open();
    const first = objectAt(start, 3);
    const second = objectAt(after(first), 2);

    expect(await store.putNew(first, never)).toBeUndefined();
    expect(await store.putNew(second, never)).toBeUndefined();

    for (const object of [first, second]) {
      expect(await store.head(object.key, never)).toEqual(stored(object));
      expect(Buffer.from((await store.lines(object.key, never)) ?? [])).toEqual(Buffer.from(object.lines));
    }
  });

  test(`${name}: a key without a put is empty`, async () => {
    const store = await open();

    expect(await store.head("v1/nothing", never)).toBeUndefined();
    expect(await store.lines("v1/nothing", never)).toBeUndefined();
    expect(await Array.fromAsync(store.list("", never))).toEqual([]);
  });

  test(`${name}: a second put under a key changes nothing and returns the existing object`, async () => {
    const store = await open();
    const object = objectAt(start, 3);
    const other = { ...objectAt(start, 1), key: object.key };
    await store.putNew(object, never);

    expect(await store.putNew(object, never)).toEqual(stored(object));
    expect(await store.putNew(other, never)).toEqual(stored(object));
    expect(Buffer.from((await store.lines(object.key, never)) ?? [])).toEqual(Buffer.from(object.lines));
  });

  test(`${name}: of 20 concurrent puts under one key one wins, and 19 get the existing object`, async () => {
    const store = await open();
    const objects = Array.from({ length: 20 }, (_, i) => ({ ...objectAt(start, i + 1), key: objectAt(start).key }));

    const told = await Promise.all(objects.map((object) => store.putNew(object, never)));

    const winners = objects.filter((_, i) => told[i] === undefined);
    expect(winners).toHaveLength(1);
    const [winner = objectAt(start)] = winners;
    expect(told.filter((there) => there !== undefined)).toEqual(Array(19).fill(stored(winner)));
    expect(await store.head(winner.key, never)).toEqual(stored(winner));
    expect(Buffer.from((await store.lines(winner.key, never)) ?? [])).toEqual(Buffer.from(winner.lines));
  });

  test(`${name}: everything below a prefix is listed, keys ascending`, async () => {
    const store = await open();
    const dates = ["2026-01-10", "2026-01-09", "2026-02-01"];
    const objects = dates.map((date, i) => objectAt({ ...start, next: 10 ** i }, 1, date));
    const other = objectAt({ ...start, topic: "verdicts-2" });
    for (const object of [...objects, other]) await store.putNew(object, never);

    const listed = await Array.fromAsync(store.list("v1/verdicts/", never));

    expect(listed.map(({ key }) => key)).toEqual(objects.map(({ key }) => key).sort());
    expect(listed.every(({ bytes }) => bytes > 20)).toBe(true);
    expect((await Array.fromAsync(store.list("", never))).map(({ key }) => key)).toEqual(
      [...objects, other].map(({ key }) => key).sort(),
    );
  });

  test(`${name}: a request with an aborted signal rejects with the signal's reason`, async () => {
    const store = await open();
    const reason = new Error("enough");
    const ended = AbortSignal.abort(reason);

    await expect(store.putNew(objectAt(start), ended)).rejects.toBe(reason);
    await expect(store.head("v1/x", ended)).rejects.toBe(reason);
    await expect(store.lines("v1/x", ended)).rejects.toBe(reason);
    await expect(Array.fromAsync(store.list("", ended))).rejects.toBe(reason);
  });
}
