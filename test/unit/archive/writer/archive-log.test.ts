import { describe, expect, test } from "vitest";
import {
  type ArchiveObject,
  after,
  chainSha256,
  DEFAULT_CUT,
  type ObjectMetadata,
  type Position,
} from "../../../../src/archive/object.ts";
import { archiveLog } from "../../../../src/archive/writer/archive-log.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { FakeArchive } from "../../../fakes/fake-archive.ts";
import { objectOf } from "../../../support/object-of.ts";

/** Every line has 47 bytes, 48 with its end. */
const lineAt = (offset: number) => `{"decided_at":"2026-01-02T03:04:05.006Z","n":${offset}}`;

const linesOf = (from: number, to: number, textAt = lineAt) =>
  Buffer.from(Array.from({ length: Math.max(0, to - from) }, (_, i) => `${textAt(from + i)}\n`).join(""));

/** In chunks of `size` bytes that share one memory, like the chunks of a file. */
async function* chunked(bytes: Buffer, size = 100): AsyncGenerator<Buffer> {
  const memory = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(memory, 0, at, at + size);
    yield memory.subarray(0, length);
    memory.fill("x");
  }
}

const log = (to: number, from = 0, textAt = lineAt) => ({
  topic: "verdicts",
  partition: 0,
  chunks: chunked(linesOf(from, to, textAt)),
  keep: () => Promise.resolve(),
});
const ranges = ({ stored }: FakeArchive) => stored.map(({ metadata }) => [metadata.start, metadata.end]);

describe("an object is cut", () => {
  test.each([
    [1, [[0, 0]]],
    [2, [[0, 1]]],
    [3, [[0, 2]]],
    [
      4,
      [
        [0, 2],
        [3, 3],
      ],
    ],
    [
      6,
      [
        [0, 2],
        [3, 5],
      ],
    ],
  ])("at its limit of verdicts: %i verdicts, 3 an object", async (count, expected) => {
    const archive = new FakeArchive();

    await archiveLog(log(count), archive, { verdicts: 3, bytes: 1_000_000 });

    expect(ranges(archive)).toEqual(expected);
  });

  test.each([
    [1, 5],
    [48, 5],
    [49, 3],
    [96, 3],
    [97, 2],
    [240, 1],
    [241, 1],
  ])("at its limit of bytes: five lines of 48 bytes, with %i an object, are %i objects", async (bytes, objects) => {
    const archive = new FakeArchive();
    expect(Buffer.byteLength(lineAt(0))).toBe(47);

    await archiveLog(log(5), archive, { verdicts: 1_000, bytes });

    expect(archive.stored).toHaveLength(objects);
  });

  test("by default at 100,000 verdicts or 4 MiB", () => {
    expect(DEFAULT_CUT).toEqual({ verdicts: 100_000, bytes: 4_194_304 });
  });
});

test("the objects cover the log without gaps and are chained by their hashes", async () => {
  const archive = new FakeArchive();

  const added = await archiveLog(log(10), archive, { verdicts: 4, bytes: 1_000_000 });

  expect(added).toEqual({ objects: 3, verdicts: 10 });
  expect(ranges(archive)).toEqual([
    [0, 3],
    [4, 7],
    [8, 9],
  ]);
  const hashes = archive.stored.map(chainSha256);
  expect(archive.stored.map(({ metadata }) => metadata.previous_sha256)).toEqual(["", hashes[0], hashes[1]]);
  expect(Buffer.concat(archive.stored.map(({ lines }) => lines)).toString()).toBe(
    Array.from({ length: 10 }, (_, offset) => `${lineAt(offset)}\n`).join(""),
  );
});

test("a log that has grown is archived from the archive's end", async () => {
  const archive = new FakeArchive();
  await archiveLog(log(5), archive, { verdicts: 4, bytes: 1_000_000 });

  const added = await archiveLog(log(8), archive, { verdicts: 4, bytes: 1_000_000 });

  expect(added).toEqual({ objects: 1, verdicts: 3 });
  expect(ranges(archive)).toEqual([
    [0, 3],
    [4, 4],
    [5, 7],
  ]);
});

describe("an archive of another log is refused, naming the object that does not match", () => {
  const cut = { verdicts: 4, bytes: 1_000_000 };
  const archived = async (to: number) => {
    const archive = new FakeArchive();
    await archiveLog(log(to), archive, cut);
    return archive;
  };
  const key = (start: number) => `v1/verdicts/dt=2026-01-02/p=00000/${String(start).padStart(20, "0")}.ndjson.gz`;
  const refusal = (start: number) =>
    new OutputUnwritableError(
      `the archive's ${key(start)} does not hold the verdicts that stand in their place now: choose another --out`,
    );

  test.each([
    [0, 0],
    [3, 0],
    [4, 4],
    [8, 8],
  ])("verdict %i was changed: object %i does not match", async (changed, start) => {
    const archive = await archived(9);
    const textAt = (offset: number) => lineAt(offset).replace(/}$/, offset === changed ? " }" : "}");

    const archiving = archiveLog(log(12, 0, textAt), archive, cut);

    await expect(archiving).rejects.toThrow(refusal(start));
    expect(ranges(archive)).toHaveLength(3);
  });

  test.each([
    [0, 0],
    [1, 0],
    [4, 4],
    [8, 8],
  ])("the log has only %i verdicts: object %i does not match", async (to, start) => {
    await expect(archiveLog(log(to), await archived(9), cut)).rejects.toThrow(refusal(start));
  });

  test("the log has lost its beginning", async () => {
    await expect(archiveLog(log(12, 1), await archived(9), cut)).rejects.toThrow(refusal(0));
  });

  test.each<[string, Partial<ObjectMetadata>]>([
    ["does not begin where the one before it ended", { start: 5 }],
    ["ends before it begins", { end: 3 }],
    ["does not follow the one before it", { previous_sha256: "" }],
  ])("an object %s", async (_name, wrong) => {
    const archive = await archived(4);
    const [first] = archive.stored;
    await archive.put({
      key: key(4),
      packed: Buffer.from(`${lineAt(4)}\n`),
      metadata: {
        ...(first as ArchiveObject).metadata,
        ...{
          start: 4,
          end: 4,
          count: 1,
          sha256: sha256(`${lineAt(4)}\n`),
          previous_sha256: chainSha256(first as ArchiveObject),
        },
        ...wrong,
      } as ObjectMetadata,
    });

    await expect(archiveLog(log(12), archive, cut)).rejects.toThrow(refusal(4));
  });

  test("the log is released", async () => {
    let isOpen = true;
    async function* held() {
      try {
        yield* chunked(linesOf(0, 12, () => "{}"));
      } finally {
        isOpen = false;
      }
    }

    await expect(archiveLog({ ...log(0), chunks: held() }, await archived(9), cut)).rejects.toThrow(refusal(0));

    expect(isOpen).toBe(false);
  });
});

test("a log without anything new, or an empty log, adds nothing", async () => {
  const archive = new FakeArchive();

  expect(await archiveLog(log(0), archive, DEFAULT_CUT)).toEqual({ objects: 0, verdicts: 0 });
  await archiveLog(log(3), archive, DEFAULT_CUT);
  expect(await archiveLog(log(3), archive, DEFAULT_CUT)).toEqual({ objects: 0, verdicts: 0 });
});

test("one log is always cut into the same objects", async () => {
  const [one, other] = [new FakeArchive(), new FakeArchive()];

  await archiveLog(log(10), one, { verdicts: 3, bytes: 100 });
  await archiveLog(log(10), other, { verdicts: 3, bytes: 100 });

  expect(other.stored).toEqual(one.stored);
});

describe("for any chunks of a log, its objects are the same", () => {
  const texts = Array.from({ length: 40 }, (_, n) => `${lineAt(n).slice(0, -1)},"a":"${"é".repeat((n * 37) % 90)}"}`);
  const verdicts = texts.map((text, offset) => ({ offset, line: Buffer.from(text) }));
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""));

  /** Cut one by one, by the rule in its plain form. */
  function expected(limits: { verdicts: number; bytes: number }): ArchiveObject[] {
    const objects: ArchiveObject[] = [];
    let position: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };
    for (let pending: typeof verdicts = []; position.next + pending.length < verdicts.length; ) {
      pending = [...pending, ...verdicts.slice(position.next + pending.length).slice(0, 1)];
      const size = pending.reduce((sum, { line }) => sum + line.length + 1, 0);
      const isLast = position.next + pending.length === verdicts.length;
      if (pending.length < limits.verdicts && size < limits.bytes && !isLast) continue;
      const object = objectOf(pending, position);
      objects.push(object);
      position = after(object);
      pending = [];
    }
    return objects;
  }

  test.each([1, 2, 7, 48, 49, 200, 1_000, 100_000])("chunks of %i bytes", async (size) => {
    for (const limits of [
      { verdicts: 1, bytes: 1_000_000 },
      { verdicts: 7, bytes: 1_000_000 },
      { verdicts: 1_000, bytes: 1 },
      { verdicts: 1_000, bytes: 500 },
      { verdicts: 5, bytes: 700 },
      DEFAULT_CUT,
    ]) {
      const archive = new FakeArchive();

      await archiveLog({ ...log(0), chunks: chunked(bytes, size) }, archive, limits);

      expect(archive.stored).toEqual(expected(limits));
    }
  });
});

test("a line that is longer than an object should be is an object by itself, and later objects are as usual", async () => {
  const archive = new FakeArchive();
  const long = (n: number) => `{"decided_at":"2026-01-02T03:04:05.006Z","n":"${"x".repeat(n === 1 ? 300_000 : 10)}"}`;

  await archiveLog(log(4, 0, long), archive, { verdicts: 2, bytes: 100 });

  expect(archive.stored.map(({ lines }) => Buffer.from(lines).toString())).toEqual(
    [0, 2].map((n) => `${long(n)}\n${long(n + 1)}\n`),
  );
});

test("a log that ends within a line is refused", async () => {
  const archive = new FakeArchive();
  const torn = linesOf(0, 5).subarray(0, -1);

  const archiving = archiveLog({ ...log(0), chunks: chunked(torn) }, archive, { verdicts: 2, bytes: 1_000_000 });

  await expect(archiving).rejects.toThrow("the log ends within a line");
  expect(ranges(archive)).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test("a failing put ends the run, and the next run continues after the last object", async () => {
  const archive = new FakeArchive();
  const put = archive.put.bind(archive);
  archive.put = async (object) => {
    if (object.metadata.start === 3) throw new Error("disk full");
    await put(object);
  };

  const failing = archiveLog(log(9), archive, { verdicts: 3, bytes: 1_000_000 });
  await expect(failing).rejects.toThrow("disk full");
  archive.put = put;
  await archiveLog(log(9), archive, { verdicts: 3, bytes: 1_000_000 });

  expect(ranges(archive)).toEqual([
    [0, 2],
    [3, 5],
    [6, 8],
  ]);
});

test("one object is packed while the previous one is written, and written once that one is durable", async () => {
  const archive = new FakeArchive();
  const put = archive.put.bind(archive);
  const pack = archive.pack.bind(archive);
  const events: string[] = [];
  archive.pack = () => {
    const packing = pack();
    const end = () => {
      events.push("packed");
      return packing.end();
    };
    return { ...packing, end };
  };
  archive.put = async (object) => {
    events.push(`begins ${object.metadata.start}`);
    // Longer than any other step of this test.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await put(object);
    events.push(`ends ${object.metadata.start}`);
  };

  await archiveLog(log(7), archive, { verdicts: 2, bytes: 1_000_000 });

  expect(events).toEqual([
    ...["packed", "begins 0", "packed", "ends 0", "begins 2", "packed", "ends 2"],
    ...["begins 4", "packed", "ends 4", "begins 6", "ends 6"],
  ]);
  expect(archive.packings).toBe(0);
});

test("an object is stored once its part of the log is on disk", async () => {
  const archive = new FakeArchive();
  const order: string[] = [];
  const told = {
    objects: archive.objects.bind(archive),
    pack: archive.pack.bind(archive),
    put: (...put: Parameters<FakeArchive["put"]>) => {
      order.push("put");
      return archive.put(...put);
    },
  };
  const keep = async () => {
    order.push("keep");
  };
  const failed = () => Promise.reject(new Error("the disk is gone"));

  await archiveLog({ ...log(3), keep }, told, DEFAULT_CUT);
  await archiveLog({ ...log(5), keep }, told, DEFAULT_CUT);
  await expect(archiveLog({ ...log(9), keep: failed }, told, DEFAULT_CUT)).rejects.toThrow("the disk is gone");

  expect(order).toEqual(["keep", "put", "keep", "put"]);
});

test("from a log that breaks off, full objects are stored and the rest is not", async () => {
  const archive = new FakeArchive();
  const broken = async function* () {
    yield* chunked(linesOf(0, 8));
    throw new Error("interrupted");
  };

  const archiving = archiveLog({ ...log(0), chunks: broken() }, archive, { verdicts: 3, bytes: 1_000_000 });

  await expect(archiving).rejects.toThrow("interrupted");
  expect(archive.packings).toBe(0);
  expect(ranges(archive)).toEqual([
    [0, 2],
    [3, 5],
  ]);
  await archiveLog(log(9), archive, { verdicts: 3, bytes: 1_000_000 });
  expect(ranges(archive)).toEqual([
    [0, 2],
    [3, 5],
    [6, 8],
  ]);
});
