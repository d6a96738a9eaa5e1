import { describe, expect, test } from "vitest";
import { archiveLog } from "../../../src/archive/archive-log.ts";
import { DEFAULT_CUT, type LoggedVerdict } from "../../../src/archive/object.ts";
import { FakeArchive } from "../../fakes/fake-archive.ts";

/** Every line has 47 bytes, 48 with its end. */
const lineAt = (offset: number) => `{"decided_at":"2026-01-02T03:04:05.006Z","n":${offset}}`;

async function* logged(from: number, to: number): AsyncGenerator<LoggedVerdict> {
  for (let offset = from; offset < to; offset++) yield { offset, line: Buffer.from(lineAt(offset)) };
}

const log = (to: number, from = 0) => ({ topic: "verdicts", partition: 0, verdicts: logged(from, to) });
const ranges = ({ objects }: FakeArchive) => objects.map(({ metadata }) => [metadata.start, metadata.end]);

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
  ])("at its number of verdicts: %i of them, 3 an object", async (count, expected) => {
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
  ])("at its number of bytes: five of 48 bytes, with %i an object, are %i objects", async (bytes, objects) => {
    const archive = new FakeArchive();
    expect(Buffer.byteLength(lineAt(0))).toBe(47);

    await archiveLog(log(5), archive, { verdicts: 1_000, bytes });

    expect(archive.objects).toHaveLength(objects);
  });

  test("by default at 100,000 verdicts or 64 MiB", () => {
    expect(DEFAULT_CUT).toEqual({ verdicts: 100_000, bytes: 67_108_864 });
  });
});

test("the objects tile the log and chain by their hashes", async () => {
  const archive = new FakeArchive();

  const added = await archiveLog(log(10), archive, { verdicts: 4, bytes: 1_000_000 });

  expect(added).toEqual({ objects: 3, verdicts: 10 });
  expect(ranges(archive)).toEqual([
    [0, 3],
    [4, 7],
    [8, 9],
  ]);
  const hashes = archive.objects.map(({ metadata }) => metadata.sha256);
  expect(archive.objects.map(({ metadata }) => metadata.previous_sha256)).toEqual(["", hashes[0], hashes[1]]);
  expect(Buffer.concat(archive.objects.map(({ lines }) => lines)).toString()).toBe(
    Array.from({ length: 10 }, (_, offset) => `${lineAt(offset)}\n`).join(""),
  );
});

test("a log that has grown is archived from where the archive ends", async () => {
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

test("a log without anything new, or empty, adds nothing", async () => {
  const archive = new FakeArchive();

  expect(await archiveLog(log(0), archive, DEFAULT_CUT)).toEqual({ objects: 0, verdicts: 0 });
  await archiveLog(log(3), archive, DEFAULT_CUT);
  expect(await archiveLog(log(3), archive, DEFAULT_CUT)).toEqual({ objects: 0, verdicts: 0 });
});

test("the same log is cut into the same objects", async () => {
  const [one, other] = [new FakeArchive(), new FakeArchive()];

  await archiveLog(log(10), one, { verdicts: 3, bytes: 100 });
  await archiveLog(log(10), other, { verdicts: 3, bytes: 100 });

  expect(other.objects).toEqual(one.objects);
});

test("a log that has lost its beginning is refused", async () => {
  await expect(archiveLog(log(5, 2), new FakeArchive(), DEFAULT_CUT)).rejects.toThrow(
    "an object must start where the last ended",
  );
});

test("a put that fails ends it, and the next run goes on after the last object", async () => {
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
