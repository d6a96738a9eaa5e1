import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCommitMetadata, encodeCommitMetadata } from "../../../../src/adapters/kafka/commit-metadata.ts";

const ID = "b8tRS7h4TJ2Vt43Dp85v2A";

test("a commit names its topic in front of the member's own word", () => {
  expect(encodeCommitMetadata({ topicId: ID, metadata: "s1:AQ" })).toBe(`t1:${ID} s1:AQ`);
  expect(encodeCommitMetadata({ topicId: ID, metadata: "" })).toBe(`t1:${ID}`);
  expect(encodeCommitMetadata({ metadata: "s1:AQ" })).toBe("s1:AQ");
});

test("what is no such name is the member's own word, as earlier versions wrote it", () => {
  for (const text of ["", "s1:AQ", "weir-archive/2 ab", "t1:", "t1:short", `t1:${ID}s1:AQ`, `t2:${ID}`]) {
    expect(decodeCommitMetadata(text)).toEqual({ metadata: text });
  }
});

test("what is written is read", () => {
  fc.assert(
    fc.property(fc.string(), (metadata) => {
      const commit = { topicId: ID, metadata };
      expect(decodeCommitMetadata(encodeCommitMetadata(commit))).toEqual(commit);
    }),
  );
});
