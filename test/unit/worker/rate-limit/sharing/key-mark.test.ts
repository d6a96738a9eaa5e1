import { expect, test } from "vitest";
import { isOfService, keyMark } from "../../../../../src/worker/rate-limit/sharing/key-mark.ts";

const url = "https://service.example/api";

test("a key of a service always has the same mark, which has only 12 bits of the key", () => {
  expect(keyMark(url, "my-key")).toMatch(/^[0-9a-f]{16}-[0-9a-f]{3}$/);
  expect(keyMark(url, "my-key")).toBe(keyMark(url, "my-key"));
});

test("another service or another key has another mark", () => {
  const marks = [keyMark(url, "my-key"), keyMark("https://other.example", "my-key"), keyMark(url, "another-key")];
  expect(new Set(marks).size).toBe(3);
});

test("a mark identifies none of many keys, because hundreds of others have the same mark", () => {
  const marks = Array.from({ length: 400_000 }, (_, i) => keyMark(url, i.toString(36)));
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  expect(counts.size).toBe(4_096);
  expect(Math.min(...counts.values())).toBeGreaterThan(40);
});

test("a mark belongs to its service, for any key", () => {
  const mark = keyMark("https://a.example", "one");
  expect(isOfService(mark, "https://a.example")).toBe(true);
  expect(isOfService(mark, "https://b.example")).toBe(false);
  expect(isOfService("", "https://a.example")).toBe(false);
});
