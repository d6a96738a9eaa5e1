import { expect, test } from "vitest";
import { type ArchiveObject, after, type Position, type StoredObject } from "../../src/archive/object.ts";
import type { ArchiveStore } from "../../src/archive/ports.ts";
import { objectOf } from "../support/object-of.ts";

const start: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };

/** An object with `count` verdicts, decided on `date`. */
export function objectAt(position: Position, count = 1, date = "2026-01-02") {
  const verdicts = Array.from({ length: count }, (_, i) => ({
    offset: position.next + i,
    line: Buffer.from(JSON.stringify({ decided_at: `${date}T00:00:00.000Z`, n: position.next + i })),
  }));
  return objectOf(verdicts, position);
}

/** Packs `object` in two pieces with `store`, and puts it there. */
export async function putObject(store: ArchiveStore, { lines, ...object }: ArchiveObject): Promise<void> {
  const packing = store.pack();
  await packing.add(lines.subarray(0, 10));
  await packing.add(lines.subarray(10));
  const packed = await packing.end();
  packing.drop();
  await store.put({ ...object, packed });
}

/** The part of an object that a store has to know. */
const stored = ({ key, metadata }: ArchiveObject): StoredObject => ({ key, metadata });

/** The contract of every `ArchiveStore`: the fake of the tests, and each real one. */
export function archiveStoreSuite(name: string, open: () => Promise<ArchiveStore>): void {
  test(`${name}: an empty archive lists nothing`, async () => {
    const store = await open();

    expect(await Array.fromAsync(store.objects("verdicts", 0))).toEqual([]);
  });

  test(`${name}: it lists every object with its key and metadata, in the order of the log`, async () => {
    const store = await open();
    const objects: ArchiveObject[] = [];
    for (let position = start; objects.length < 12; position = after(objects.at(-1) ?? objectAt(start))) {
      objects.push(objectAt(position, 1 + (objects.length % 3)));
    }

    for (const object of objects) await putObject(store, object);

    expect(await Array.fromAsync(store.objects("verdicts", 0))).toEqual(objects.map(stored));
  });

  test(`${name}: a later object of an earlier date still comes later`, async () => {
    const store = await open();
    const first = objectAt(start, 1, "2026-01-02");
    const second = objectAt(after(first), 1, "2026-01-01");

    await putObject(store, first);
    await putObject(store, second);

    expect(await Array.fromAsync(store.objects("verdicts", 0))).toEqual([first, second].map(stored));
  });

  test(`${name}: topics and partitions are listed separately`, async () => {
    const store = await open();
    const objects = [
      objectAt(start, 3),
      objectAt({ ...start, partition: 1 }, 1),
      objectAt({ ...start, topic: "other" }, 2),
    ];
    for (const object of objects) await putObject(store, object);

    const listed = await Promise.all(
      (
        [
          ["verdicts", 0],
          ["verdicts", 1],
          ["other", 0],
          ["verdicts", 10],
        ] as const
      ).map(([topic, partition]) => Array.fromAsync(store.objects(topic, partition))),
    );

    expect(listed).toEqual([...objects.map((object) => [stored(object)]), []]);
  });
}
