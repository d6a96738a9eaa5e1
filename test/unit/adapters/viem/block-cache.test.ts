import { expect, test } from "vitest";
import { createBlockCache } from "../../../../src/adapters/viem/block-cache.ts";

test("the least recently used values are dropped first, beyond the limit", () => {
  const cache = createBlockCache<string>(1_500);
  cache.set("a", "A", 100);
  cache.set("b", "B", 100);
  cache.set("c", "C", 100);
  expect(cache.get("a")).toBe("A");

  cache.set("d", "D", 100);

  expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual(["A", undefined, "C", "D"]);
});

test("a value that is set twice counts once", () => {
  const cache = createBlockCache<string>(1_000);
  for (let i = 0; i < 10; i++) cache.set("a", `A${i}`, 100);
  cache.set("b", "B", 100);

  expect([cache.get("a"), cache.get("b")]).toEqual(["A9", "B"]);
});

test("a value above the whole limit is not kept", () => {
  const cache = createBlockCache<string>(1_000);
  cache.set("a", "A", 2_000);

  expect(cache.get("a")).toBeUndefined();
});
