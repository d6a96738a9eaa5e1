import { describe, expect, test } from "vitest";
import {
  after,
  chainSha256,
  type LoggedVerdict,
  type ObjectMetadata,
  objectSteps,
  type Position,
} from "../../../../src/archive/object.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { objectOf } from "../../../support/object-of.ts";

const start: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };
const verdict = (offset: number, decidedAt = "2026-01-02T03:04:05.006Z"): LoggedVerdict => ({
  offset,
  line: Buffer.from(JSON.stringify({ decided_at: decidedAt, n: offset })),
});

test("a key consists of topic, date of the first verdict, partition and padded start", () => {
  const { key } = objectOf([verdict(0), verdict(1, "2026-01-03T00:00:00.000Z")], start);

  expect(key).toBe("v1/verdicts/dt=2026-01-02/p=00000/00000000000000000000.ndjson.gz");
});

test("keys sort like their starts", () => {
  const position = { ...start, topic: "t", partition: 12 };
  const keyAt = (next: number) => objectOf([verdict(next)], { ...position, next }).key;

  expect(keyAt(1_234_567)).toBe("v1/t/dt=2026-01-02/p=00012/00000000000001234567.ndjson.gz");
  expect([keyAt(10), keyAt(9), keyAt(100)].sort()).toEqual([keyAt(9), keyAt(10), keyAt(100)]);
});

test("the bytes of an object are its lines, each with its end", () => {
  const { lines } = objectOf([verdict(0), verdict(1)], start);

  expect(Buffer.from(lines).toString()).toBe(
    '{"decided_at":"2026-01-02T03:04:05.006Z","n":0}\n{"decided_at":"2026-01-02T03:04:05.006Z","n":1}\n',
  );
});

test("the metadata of an object holds range, count, hash and previous hash", () => {
  const position = { ...start, next: 7, previousSha256: "abc" };

  const object = objectOf([verdict(7), verdict(8), verdict(9)], position);

  expect(object.metadata).toEqual({
    schema: "weir.verdict/1",
    topic: "verdicts",
    partition: 0,
    start: 7,
    end: 9,
    count: 3,
    sha256: sha256(object.lines),
    previous_sha256: "abc",
  });
});

test("offsets that are missing in the log are skipped, and the objects still leave no gap", () => {
  const first = objectOf([verdict(2), verdict(5)], start);
  const second = objectOf([verdict(9)], after(first));

  expect(first.metadata).toMatchObject({ start: 0, end: 5, count: 2 });
  expect(first.key).toContain("/00000000000000000000.ndjson.gz");
  expect(second.metadata).toMatchObject({ start: 6, end: 9, count: 1 });
});

test("the date is the day of writing of the first verdict, where that is known", () => {
  const writtenAt = Date.UTC(2026, 0, 31, 23, 59, 59, 999);
  const { key } = objectOf([{ ...verdict(0), writtenAt }, verdict(1)], start);

  expect(key).toBe("v1/verdicts/dt=2026-01-31/p=00000/00000000000000000000.ndjson.gz");
});

test("objects are chained: each starts after the previous one and names its hash", () => {
  const first = objectOf([verdict(0), verdict(1)], start);
  const second = objectOf([verdict(2)], after(first));

  expect(after(first)).toEqual({ topic: "verdicts", partition: 0, next: 2, previousSha256: chainSha256(first) });
  expect(second.metadata).toMatchObject({ start: 2, end: 2, previous_sha256: chainSha256(first) });
  expect(after(second).next).toBe(3);
});

test("a large object is made in steps, and its verdicts then share its memory", () => {
  const line = (offset: number) => Buffer.alloc(600_000, String(offset));
  const verdicts = [0, 1, 2, 3, 4].map((offset) => ({ offset, line: line(offset), writtenAt: Date.UTC(2026, 0, 1) }));
  const added = { offset: 9, line: line(9), writtenAt: 0 };
  const whole = objectOf(verdicts.slice(0, 4), start);

  const steps = objectSteps(verdicts, 4, start);
  expect(steps.next()).toEqual({ done: false, value: undefined });
  verdicts.push(added);
  expect(steps.next()).toEqual({ done: false, value: undefined });
  const { value: made } = steps.next();

  expect(made).toEqual(whole);
  expect(whole.metadata).toMatchObject({ end: 3, count: 4, sha256: sha256(whole.lines) });
  expect(verdicts.map((each) => each.line.buffer === made?.lines.buffer)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(verdicts.every((each) => line(each.offset).equals(each.line))).toBe(true);
});

test("the hash that the next object names covers its key and all of its metadata", () => {
  const object = objectOf([verdict(7), verdict(8), verdict(9)], { ...start, next: 7, previousSha256: "abc" });
  const { key, metadata } = object;
  const changes: readonly Partial<ObjectMetadata>[] = [
    ...[{ schema: "x" }, { topic: "x" }, { partition: 1 }, { start: 6 }, { end: 10 }, { count: 4 }],
    ...[{ sha256: "x" }, { previous_sha256: "x" }],
  ];
  const others = changes.map((change) => ({ key, metadata: { ...metadata, ...change } }));
  const hashes = [object, { ...object, key: "x" }, ...others].map(chainSha256);

  // printf '%s' '["abc","v1/...","weir.verdict/1","verdicts",0,7,9,3,"<sha256 of the lines>"]' | sha256sum
  expect(hashes[0]).toBe("c05634a22578f6aebfb4c5785874391f0d7f294d78948257c61e42c92158a1c9");
  expect(new Set(hashes).size).toBe(10);
  expect(others.map(({ metadata }) => Object.keys(metadata).length)).toEqual(Array(8).fill(8));
});

test("the same verdicts give the same object again", () => {
  const cut = () => objectOf([verdict(3), verdict(4)], { ...start, next: 3, previousSha256: "x" });

  expect(cut()).toEqual(cut());
});

describe("values that must never become an object", () => {
  test.each([
    ["nothing", []],
    ["verdicts that start too early", [verdict(-1)]],
  ])("%s", (_name, verdicts) => {
    expect(() => objectOf(verdicts, start)).toThrow("an object must hold what comes after the last");
  });

  test.each(["{}", '{"decided_at":5}', '{"decided_at":"yesterday"}', '{"decided_at":""}'])(
    "a first line %s",
    (text) => {
      const broken = { offset: 0, line: Buffer.from(text) };

      expect(() => objectOf([broken], start)).toThrow("the verdict at offset 0 has no decided_at");
    },
  );
});
