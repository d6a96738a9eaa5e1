import { expect, test } from "vitest";
import { UnreadAddresses } from "../../../../src/messages/unread/unread-addresses.ts";

const stray = (path: string, isTelling = false) => ({ path, isTelling, mayBeHash: false, meant: "users" as const });

test("counts events by field, with the place of the first one, in the order of occurrence", () => {
  const unread = new UnreadAddresses();
  unread.add([stray("memo"), stray("From", true)], "column", "line 2");
  unread.add([stray("From", true)], "column", "line 3");

  expect(unread.fields).toEqual([
    { name: "memo", kind: "column", isTelling: false, mayBeHash: false, meant: "users", events: 1, first: "line 2" },
    { name: "From", kind: "column", isTelling: true, mayBeHash: false, meant: "users", events: 2, first: "line 2" },
  ]);
  expect(unread.beyond).toBe(0);
});

test("possible hashes are counted separately from addresses of the same field", () => {
  const unread = new UnreadAddresses();
  unread.add([{ ...stray("From"), mayBeHash: true }], "column", "line 2");
  unread.add([stray("From", true)], "column", "line 3");

  expect(unread.fields).toMatchObject([
    { name: "From", isTelling: false, mayBeHash: true, events: 1, first: "line 2" },
    { name: "From", isTelling: true, mayBeHash: false, events: 1, first: "line 3" },
  ]);
});

test("keeps 32 names, without long names or control characters, and counts the others", () => {
  const unread = new UnreadAddresses();
  for (let i = 0; i < 40; i++) unread.add([stray(`\u001b${i}${"x".repeat(1_000)}`)], "field", `line ${i}`);
  unread.add([stray(`\u001b1${"x".repeat(1_000)}`)], "field", "line 41");

  expect(unread.fields).toHaveLength(32);
  expect(unread.fields[1]).toMatchObject({ name: `\uFFFD1${"x".repeat(58)}...`, events: 2, first: "line 1" });
  expect(unread.beyond).toBe(8);
});
