import { expect, test } from "vitest";
import { ownText } from "../../../src/kernel/text.ts";
import { heapUsed } from "../../support/heap-used.ts";

test("the copy equals the text", () => {
  expect(["", "a", "ä€😀"].map(ownText)).toEqual(["", "a", "ä€😀"]);
});

test("the copy does not keep the longer text in memory", async () => {
  const before = await heapUsed();
  const kept = Array.from({ length: 100 }, (_, i) => ownText(`${i}${"x".repeat(2 ** 17)}`.slice(0, 40)));
  const held = (await heapUsed()) - before;

  expect(kept.length).toBe(100);
  expect(held).toBeLessThan(1_000_000);
});
