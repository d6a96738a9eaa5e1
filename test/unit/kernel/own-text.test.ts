import { expect, test } from "vitest";
import { ownText } from "../../../src/kernel/own-text.ts";
import { heapUsed } from "../../support/heap-used.ts";

test("a text is the same", () => {
  expect(["", "a", "ä€😀"].map(ownText)).toEqual(["", "a", "ä€😀"]);
});

test("a text of its own does not hold what it was cut from", async () => {
  const before = await heapUsed();
  const kept = Array.from({ length: 100 }, (_, i) => ownText(`${i}${"x".repeat(2 ** 17)}`.slice(0, 40)));
  const held = (await heapUsed()) - before;

  expect(kept.length).toBe(100);
  expect(held).toBeLessThan(1_000_000);
});
