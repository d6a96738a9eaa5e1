import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeCommitMetadata,
  encodeCommitMetadata,
} from "../../../../../src/adapters/kafka/offsets/commit-metadata.ts";
import { encodeSettledAhead } from "../../../../../src/worker/offsets/completed-ahead.ts";

const ID = "b8tRS7h4TJ2Vt43Dp85v2A";

test("a commit names the cluster of its topic, where that is known", () => {
  const clusterId = "MkU3OEVBNTcwNTJENDM2Qg";
  expect(encodeCommitMetadata({ topicId: ID, clusterId, metadata: "s1:AQ" })).toBe(`t1:${ID}@${clusterId} s1:AQ`);
  expect(encodeCommitMetadata({ topicId: ID, clusterId, metadata: "" })).toBe(`t1:${ID}@${clusterId}`);
  for (const odd of ["", "two words", "x".repeat(101)]) {
    expect(encodeCommitMetadata({ topicId: ID, clusterId: odd, metadata: "s1:AQ" })).toBe(`t1:${ID} s1:AQ`);
  }
});

test("the longest word of a member fits beside both, by the brokers' default", () => {
  const metadata = encodeSettledAhead(
    0,
    Array.from({ length: 30_000 }, (_, index) => index + 1),
  );
  const longest = encodeCommitMetadata({ topicId: ID, clusterId: "x".repeat(100), metadata });
  expect(metadata.length).toBeGreaterThan(3_500);
  expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(4_096);
});

test("a commit names its topic in front of the member's own word", () => {
  expect(encodeCommitMetadata({ topicId: ID, metadata: "s1:AQ" })).toBe(`t1:${ID} s1:AQ`);
  expect(encodeCommitMetadata({ topicId: ID, metadata: "" })).toBe(`t1:${ID}`);
  expect(encodeCommitMetadata({ metadata: "s1:AQ" })).toBe("s1:AQ");
});

test("what is no such name is the member's own word, as earlier versions wrote it", () => {
  for (const text of [
    "",
    "s1:AQ",
    "weir-archive/2 ab",
    "t1:",
    "t1:short",
    `t1:${ID}s1:AQ`,
    `t1:${ID}@ s1:AQ`,
    `t2:${ID}`,
  ]) {
    expect(decodeCommitMetadata(text)).toEqual({ metadata: text });
  }
});

test("what is written is read", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("lkc-1a2b3", "a@b:c", undefined), (metadata, clusterId) => {
      const commit = { topicId: ID, clusterId, metadata };
      expect(decodeCommitMetadata(encodeCommitMetadata(commit))).toEqual(commit);
    }),
  );
});
