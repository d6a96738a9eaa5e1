import { expect, test } from "vitest";
import { atOnce } from "../../../../src/kernel/async.ts";
import { KeyBuckets, keyOf } from "../../../../src/labels/index/key-buckets.ts";

function ordinals(buckets: KeyBuckets, key: number): number[] {
  const found: number[] = [];
  for (let at = buckets.first(key); at >= 0; at = buckets.next(key, at)) found.push(buckets.ordinalAt(at));
  return found;
}

test("without keys nothing is found", () => {
  expect(ordinals(atOnce(KeyBuckets.steps(new Uint32Array(0))), 0)).toEqual([]);
});

test("each key gives its ordinals in ascending order, also when keys share a bucket", () => {
  // The low bits are equal, so that all keys fall into one bucket.
  const keys = Uint32Array.of(0x100, 0x80000100, 0x100, 0, 0xffffff00, 0x100);
  const buckets = atOnce(KeyBuckets.steps(keys));

  expect(ordinals(buckets, 0x100)).toEqual([0, 2, 5]);
  expect(ordinals(buckets, 0x80000100)).toEqual([1]);
  expect(ordinals(buckets, 0)).toEqual([3]);
  expect(ordinals(buckets, 0xffffff00)).toEqual([4]);
  expect(ordinals(buckets, 0x200)).toEqual([]);
});

test("a key depends on the prefix and the suffix only", () => {
  const key = keyOf("abcdefgh", 3, 2);

  expect(keyOf("abcXXXXgh", 3, 2)).toBe(key);
  expect(keyOf("abXdefgh", 3, 2)).not.toBe(key);
  expect(keyOf("abcdefXh", 3, 2)).not.toBe(key);
  expect(keyOf("ghcdefab", 3, 2)).not.toBe(key);
  expect(key).toBeGreaterThanOrEqual(0);
});
