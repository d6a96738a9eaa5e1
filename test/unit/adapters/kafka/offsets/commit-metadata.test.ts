import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeCommitMetadata,
  encodeCommitMetadata,
} from "../../../../../src/adapters/kafka/offsets/commit-metadata.ts";
import { decodeCompletedAhead, encodeCompletedAhead } from "../../../../../src/worker/offsets/completed-ahead.ts";

const ID = "b8tRS7h4TJ2Vt43Dp85v2A";

test("a commit names the cluster of its topic, where it is known", () => {
  const clusterId = "MkU3OEVBNTcwNTJENDM2Qg";
  expect(encodeCommitMetadata({ topicId: ID, clusterId, metadata: "s1:AQ" })).toBe(`t1:${ID}@${clusterId} s1:AQ`);
  expect(encodeCommitMetadata({ topicId: ID, clusterId, metadata: "" })).toBe(`t1:${ID}@${clusterId}`);
  for (const odd of ["", "two words", "x".repeat(101)]) {
    expect(encodeCommitMetadata({ topicId: ID, clusterId: odd, metadata: "s1:AQ" })).toBe(`t1:${ID} s1:AQ`);
  }
});

test("the longest word of a member fits beside both, by the brokers' default", () => {
  const metadata = encodeCompletedAhead(
    0,
    Array.from({ length: 30_000 }, (_, index) => index + 1),
  );
  const epoch = { epoch: 2 ** 31 - 1, from: 2 ** 53 - 1 };
  const longest = encodeCommitMetadata({
    topicId: ID,
    clusterId: "x".repeat(100),
    epochs: [epoch, epoch, epoch],
    metadata,
  });
  expect(metadata.length).toBeGreaterThan(3_500);
  expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(4_096);
});

test("a commit names its topic in front of the member's metadata", () => {
  expect(encodeCommitMetadata({ topicId: ID, metadata: "s1:AQ" })).toBe(`t1:${ID} s1:AQ`);
  expect(encodeCommitMetadata({ topicId: ID, metadata: "" })).toBe(`t1:${ID}`);
  expect(encodeCommitMetadata({ metadata: "s1:AQ" })).toBe("s1:AQ");
});

test("a text without a topic id is the member's metadata, as earlier versions wrote it", () => {
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

test("a commit names the leader epochs of the read records, in a text that earlier versions ignore", () => {
  const epochs = [
    { epoch: 4, from: 10 },
    { epoch: 6, from: 13 },
  ];
  expect(encodeCommitMetadata({ topicId: ID, epochs, metadata: "s1:AQ" })).toBe(`t1:${ID} e4:10,6:13 s1:AQ`);
  expect(encodeCommitMetadata({ topicId: ID, epochs: [], metadata: "s1:AQ" })).toBe(`t1:${ID} s1:AQ`);
  expect(encodeCommitMetadata({ epochs, metadata: "s1:AQ" })).toBe("s1:AQ");
  expect(decodeCommitMetadata(`t1:${ID}@c e4:10`)).toEqual({
    topicId: ID,
    clusterId: "c",
    epochs: [{ epoch: 4, from: 10 }],
    metadata: "",
  });
  expect(decodeCompletedAhead(12, "e4:10 s1:AQ")).toEqual([]);
});

test("a member's own metadata is never read as epochs", () => {
  for (const word of ["e4:10", "e-", "e- e-", "e4:10 s1:AQ", "e4:", "events"]) {
    expect(decodeCommitMetadata(encodeCommitMetadata({ topicId: ID, metadata: word }))).toEqual({
      topicId: ID,
      metadata: word,
    });
  }
});

const someEpochs = fc.array(fc.record({ epoch: fc.nat(), from: fc.maxSafeNat() }), { minLength: 1, maxLength: 3 });

test("written metadata reads back unchanged", () => {
  const clusters = fc.constantFrom("lkc-1a2b3", "a@b:c", undefined);
  fc.assert(
    fc.property(fc.string(), clusters, fc.option(someEpochs, { nil: undefined }), (metadata, clusterId, epochs) => {
      const commit = { topicId: ID, clusterId, epochs, metadata };
      expect(decodeCommitMetadata(encodeCommitMetadata(commit))).toEqual(commit);
    }),
  );
});
