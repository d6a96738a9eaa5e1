import { describe, expect, test } from "vitest";
import {
  type ArchiveObject,
  after,
  chainSha256,
  type LoggedVerdict,
  type Position,
} from "../../../../src/archive/object.ts";
import { ObjectCutter } from "../../../../src/archive/writer/object-cutter.ts";
import { objectOf } from "../../../support/object-of.ts";

const start: Position = { topic: "verdicts", partition: 3, next: 10, previousSha256: "before" };
/** A line of nine bytes, ten with its end. */
const verdict = (offset: number): LoggedVerdict => ({
  offset,
  line: Buffer.from(String(offset).padStart(9, ".")),
  writtenAt: Date.UTC(2026, 0, 1),
});
const limits = { verdicts: 3, bytes: 1_000, ageMs: 300 };

function archiver(own: Partial<typeof limits> = {}, from = start) {
  return new ObjectCutter(from, { ...limits, ...own });
}

/** The next object to store, made in one go. */
function nextOf(waiting: ObjectCutter, now: number, atOnce = false): ArchiveObject | undefined {
  const steps = waiting.next(now, atOnce);
  for (let step = steps?.next(); step !== undefined; step = steps?.next()) if (step.done === true) return step.value;
  return undefined;
}

describe("an object is cut", () => {
  test("when it holds enough verdicts", () => {
    const waiting = archiver();
    for (const offset of [10, 11]) waiting.add(verdict(offset), 0);
    expect(nextOf(waiting, 0)).toBeUndefined();
    for (const offset of [12, 13]) waiting.add(verdict(offset), 0);

    expect(nextOf(waiting, 0)?.metadata).toMatchObject({ start: 10, end: 12, count: 3, previous_sha256: "before" });
  });

  test("when it holds enough bytes, line ends included", () => {
    const waiting = archiver({ bytes: 20 });
    waiting.add(verdict(10), 0);
    expect(nextOf(waiting, 0)).toBeUndefined();
    waiting.add(verdict(11), 0);

    expect(waiting.bytes).toBe(20);
    expect(nextOf(waiting, 0)?.metadata).toMatchObject({ start: 10, end: 11 });
  });

  test("when its first verdict has waited long enough", () => {
    const waiting = archiver();
    expect(waiting.dueAt).toBeUndefined();
    waiting.add(verdict(10), 1_000);
    waiting.add(verdict(11), 1_200);

    expect(waiting.dueAt).toBe(1_300);
    expect(nextOf(waiting, 1_299)).toBeUndefined();
    expect(nextOf(waiting, 1_300)?.metadata).toMatchObject({ start: 10, end: 11 });
  });

  test("when its first verdict was written long enough ago, once the topic was read to its end", () => {
    const waiting = archiver({ ageMs: 60_000, verdicts: 10 });
    waiting.add(verdict(10), 1_000_000, 50_000);
    expect(waiting.dueAt).toBe(1_010_000);
    waiting.add(verdict(11), 1_000_000, 0);
    expect(waiting.dueAt).toBe(1_010_000);
  });

  test("when its first verdict was read long enough ago, while a backlog is read", () => {
    const waiting = archiver({ ageMs: 60_000, verdicts: 1_000 });
    for (let second = 0; second < 60; second++) waiting.add(verdict(10 + second), second * 1_000, 3_600_000);
    // Nothing came for ten seconds, so the topic was read to its end.
    expect(waiting.dueAt).toBe(60_000);
    const quiet = archiver({ ageMs: 60_000, verdicts: 1_000 });
    quiet.add(verdict(10), 0, 3_600_000);
    quiet.add(verdict(11), 5_000, 3_500_000);
    expect(quiet.dueAt).toBe(15_000);
    quiet.add(verdict(12), 6_000, 59_999);
    expect(quiet.dueAt).toBe(6_000);
  });

  test("no sooner for a verdict with a future time of writing", () => {
    const waiting = archiver();
    waiting.add(verdict(10), 1_000, -5_000);

    expect(waiting.dueAt).toBe(1_300);
  });

  test("at once, when that is requested, but never without a verdict", () => {
    const waiting = archiver();
    expect(nextOf(waiting, 0, true)).toBeUndefined();
    waiting.add(verdict(10), 0);

    expect(nextOf(waiting, 0, true)?.metadata).toMatchObject({ start: 10, end: 10 });
  });
});

test("stored verdicts no longer wait, and the next object starts after them and names the hash", () => {
  const waiting = archiver();
  for (const offset of [10, 12, 15, 16]) waiting.add(verdict(offset), offset);
  const first = nextOf(waiting, 0);
  if (first === undefined) throw new Error("it is full");
  waiting.stored(first);

  expect(waiting.position).toEqual({ ...start, next: 16, previousSha256: chainSha256(first) });
  expect(waiting.bytes).toBe(10);
  expect(waiting.dueAt).toBe(316);
  expect(nextOf(waiting, 0, true)?.metadata).toMatchObject({
    start: 16,
    end: 16,
    previous_sha256: chainSha256(first),
  });
});

test("verdicts that are archived already are ignored", () => {
  const waiting = archiver();
  for (const offset of [8, 9, 10]) waiting.add(verdict(offset), 0);

  expect(waiting.bytes).toBe(10);
  expect(nextOf(waiting, 0, true)?.metadata).toMatchObject({ start: 10, count: 1 });
});

describe("lost offsets", () => {
  test("are skipped at once when nothing waits before them", () => {
    const waiting = archiver();

    expect(waiting.skipTo(20)).toBe(10);
    expect(waiting.position).toEqual({ ...start, next: 20 });
    expect(waiting.skipTo(20)).toBeUndefined();
  });

  test("cut the verdicts before them to an object, and the next object begins after them", () => {
    const waiting = archiver();
    waiting.add(verdict(10), 0);
    expect(waiting.skipTo(20)).toBe(11);
    for (const offset of [20, 21]) waiting.add(verdict(offset), 0);
    expect(waiting.skipTo(30)).toBe(22);
    waiting.add(verdict(30), 0);

    const cut: [number, number, string][] = [];
    for (let object = nextOf(waiting, 0); object !== undefined; object = nextOf(waiting, 0)) {
      const { start, end, previous_sha256 } = object.metadata;
      cut.push([start, end, previous_sha256 === (cut.at(-1)?.[2] ?? "before") ? chainSha256(object) : "broken"]);
      waiting.stored(object);
    }
    expect(cut.map(([start, end]) => [start, end])).toEqual([
      [10, 10],
      [20, 21],
    ]);
    expect(cut.some(([, , hash]) => hash === "broken")).toBe(false);
    expect(waiting.position.next).toBe(30);
    expect(waiting.dueAt).toBe(300);
  });
});

describe("an existing object under the key", () => {
  const standing = (offsets: readonly number[]) => objectOf(offsets.map(verdict), start);

  test("is equal, however it was cut, and the remaining verdicts continue after it", () => {
    const waiting = archiver();
    for (const offset of [10, 11, 12]) waiting.add(verdict(offset), 0);
    const shorter = standing([10, 11]);

    expect(waiting.compare(shorter.metadata)).toBe("same");
    waiting.stored(shorter);
    expect(waiting.position).toEqual(after(shorter));
    expect(nextOf(waiting, 0, true)?.metadata).toMatchObject({ start: 12, end: 12 });
  });

  test("is longer than the waiting verdicts, so more must come", () => {
    const waiting = archiver();
    waiting.add(verdict(10), 0);

    expect(waiting.compare(standing([10, 11, 12]).metadata)).toBe("longer");
    for (const offset of [11, 12]) waiting.add(verdict(offset), 0);
    expect(waiting.compare(standing([10, 11, 12]).metadata)).toBe("same");
  });

  test.each([
    ["other lines", { ...standing([10, 11]).metadata, sha256: "0".repeat(64) }],
    ["a verdict that is not here", { ...standing([10, 11]).metadata, count: 3 }],
    ["a verdict less", standing([11]).metadata],
    ["another start", { ...standing([10, 11]).metadata, start: 9 }],
    ["another partition", { ...standing([10, 11]).metadata, partition: 4 }],
    ["another topic", { ...standing([10, 11]).metadata, topic: "other" }],
    ["an object before it that is not ours", { ...standing([10, 11]).metadata, previous_sha256: "x" }],
    ["an end between ours", { ...standing([10, 11]).metadata, end: 12 }],
  ])("is different: %s", (_name, metadata) => {
    const waiting = archiver();
    for (const offset of [10, 11, 13]) waiting.add(verdict(offset), 0);

    expect(waiting.compare(metadata)).toBe("other");
  });
});
