import { expect, test } from "vitest";
import { RecentTexts } from "../../../src/kernel/collections.ts";
import { heapUsed } from "../../support/heap-used.ts";

test("keeps the last added texts and forgets the oldest first", () => {
  const texts = new RecentTexts(2);
  const known = () => ["a", "b", "c"].filter((text) => texts.has(text));
  texts.add("a");
  texts.add("b");
  expect(known()).toEqual(["a", "b"]);
  texts.add("a");
  texts.add("c");
  expect(known()).toEqual(["a", "c"]);
  texts.delete("a");
  expect(known()).toEqual(["c"]);
  texts.add("b");
  expect(known()).toEqual(["b", "c"]);
});

test("takes as little memory for a long text as for a short one", async () => {
  const texts = new RecentTexts(10_000);
  // Made from bytes, so that no two texts share memory.
  const textOf = (i: number) => Buffer.alloc(10_000, `${i}|`).toString();
  const before = await heapUsed();
  for (let i = 0; i < 15_000; i++) texts.add(textOf(i));
  const bytes = (await heapUsed()) - before;

  expect([4_999, 5_000, 14_999].map((i) => texts.has(textOf(i)))).toEqual([false, true, true]);
  expect(bytes).toBeLessThan(4_000_000);
});
