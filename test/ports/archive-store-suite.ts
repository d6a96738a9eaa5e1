import { expect, test } from "vitest";
import { after, objectOf, type Position } from "../../src/archive/object.ts";
import type { ArchiveStore } from "../../src/archive/ports.ts";

const start: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };

/** An object with this many verdicts, decided on `date`. */
export function objectAt(position: Position, count = 1, date = "2026-01-02") {
  const verdicts = Array.from({ length: count }, (_, i) => ({
    offset: position.next + i,
    line: Buffer.from(JSON.stringify({ decided_at: `${date}T00:00:00.000Z`, n: position.next + i })),
  }));
  return objectOf(verdicts, position);
}

/** What every `ArchiveStore` must do: the fake that tests use, and each real one. */
export function archiveStoreSuite(name: string, open: () => Promise<ArchiveStore>): void {
  test(`${name}: an archive that holds nothing ends at its start`, async () => {
    const store = await open();

    expect(await store.position("verdicts", 0)).toEqual(start);
  });

  test(`${name}: it ends after the last object, whose hash the next one names`, async () => {
    const store = await open();
    const first = objectAt(start, 3);
    const second = objectAt(after(first), 2);

    await store.put(first);
    await store.put(second);

    expect(await store.position("verdicts", 0)).toEqual({
      topic: "verdicts",
      partition: 0,
      next: 5,
      previousSha256: second.metadata.sha256,
    });
  });

  test(`${name}: a later object of an earlier date is still the last`, async () => {
    const store = await open();
    const first = objectAt(start, 1, "2026-01-02");
    const second = objectAt(after(first), 1, "2026-01-01");

    await store.put(first);
    await store.put(second);

    expect((await store.position("verdicts", 0)).next).toBe(2);
  });

  test(`${name}: topics and partitions end each for itself`, async () => {
    const store = await open();
    await store.put(objectAt(start, 3));
    await store.put(objectAt({ ...start, partition: 1 }, 1));
    await store.put(objectAt({ ...start, topic: "other" }, 2));

    const ends = [
      await store.position("verdicts", 0),
      await store.position("verdicts", 1),
      await store.position("other", 0),
      await store.position("verdicts", 10),
    ];

    expect(ends.map(({ next }) => next)).toEqual([3, 1, 2, 0]);
  });
}
