import { expect, test } from "vitest";
import { UnreadLog } from "../../../../../src/worker/consumer/records/unread-log.ts";

const stray = (path: string, isTelling = false, meant: "users" | "token" = "users") => ({
  path,
  isTelling,
  mayBeHash: false,
  meant,
});

function logging() {
  const lines: [string, unknown][] = [];
  const log = new UnreadLog({ warn: (message, fields) => lines.push([message, fields]) });
  const add = (offset: number, ...strays: Parameters<UnreadLog["add"]>[0]) =>
    log.add(strays, { topic: "orders", partition: 0, offset, timestamp: 0, value: undefined, headers: {} });
  return { lines, add };
}

test("each field is logged once, with the position of its first record", () => {
  const { lines, add } = logging();
  add(7, stray("memo"), stray("contract", false, "token"));
  add(8, stray("memo"));

  expect(lines).toEqual([
    [
      "a field holds addresses and is not read: name it user_addresses, or move it into ref",
      { name: "memo", topic: "orders", partition: 0, offset: 7 },
    ],
    [
      "a field holds addresses and is not read: name it token_address, or move it into ref",
      { name: "contract", topic: "orders", partition: 0, offset: 7 },
    ],
  ]);
});

test("a field with possible hashes has its own message", () => {
  const { lines, add } = logging();
  add(7, { ...stray("commit"), mayBeHash: true });

  expect(lines[0]?.[0]).toBe(
    "a field that is not read holds 40 hex digits without 0x, as addresses and hashes have: if they are addresses, write 0x in front and name it user_addresses, or move it into ref",
  );
});

test("a refused event is not logged, because its verdict says why", () => {
  const { lines, add } = logging();
  add(7, stray("memo"), stray("From", true));

  expect(lines).toEqual([]);
});

test("32 fields are logged, and then once that there are more", () => {
  const { lines, add } = logging();
  for (let i = 0; i < 100; i++) add(i, stray(`x${i}`), stray(`y${i}`));

  expect(lines).toHaveLength(33);
  expect(lines.at(-1)).toEqual([
    "more than 32 unread fields hold addresses: Weir logs no further fields",
    { topic: "orders", partition: 0, offset: 16 },
  ]);
});
