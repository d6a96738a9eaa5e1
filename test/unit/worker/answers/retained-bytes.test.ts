import { expect, test } from "vitest";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import {
  answerBytes,
  eventBytes,
  recordBytes,
  ticketBytes,
  valueBytes,
} from "../../../../src/worker/answers/retained-bytes.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { answered, clean } from "../../../fakes/evidence.ts";
import { recordOf } from "../../../fakes/records.ts";
import { heapUsed } from "../../../support/heap-used.ts";

test("the estimate exceeds the record's size, and is above zero for an empty record", () => {
  expect([0, 1_000].map(eventBytes)).toEqual([1_024, 4_024]);
  expect([0, 1_000].map((size) => ticketBytes(new Uint8Array(size)))).toEqual([2_048, 7_048]);
  expect([0, 1_000].map((size) => valueBytes(new Uint8Array(size)))).toEqual([1_024, 4_024]);
  expect([ticketBytes(undefined), valueBytes(undefined)]).toEqual([2_048, 1_024]);
});

test("ordinary records reach the limits of lanes and tiers by their number, not by their bytes", () => {
  expect(20_000 * eventBytes(170)).toBe(30_680_000);
  expect(5_000 * ticketBytes(new Uint8Array(613))).toBe(25_565_000);
});

test("an answer counts as twice its JSON", () => {
  const checks = [answered("poisoning", { target: clean.target })];

  expect(answerBytes([])).toBe(4);
  expect(answerBytes(checks)).toBe(2 * JSON.stringify(checks).length);
});

test("an answer of many small pieces counts by its pieces, beyond an ordinary answer", () => {
  const characters = 3 * 1_500 + 1;
  expect(answerBytes(Array.from({ length: 1_500 }, () => ({})))).toBe(characters + 64 * (1_501 - 16));
  expect(answerBytes({ a: Array.from({ length: 1_500 }, () => []) })).toBe(characters + 6 + 64 * (1_502 - 16));
});

const address = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const event = { type: "address", chain_id: "1", address };
const transaction = { type: "transaction", chain_id: "1", transaction: { to: address, data: "0x" } };
const four = (i: number) => i.toString(16).padStart(4, "0");
const many = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));

test("a parsed record of many small pieces counts by its pieces", () => {
  const counted = (content: object) => {
    const record = recordOf({ ...content });
    const { byteLength } = record.bytes;
    return [recordBytes(record) - eventBytes(byteLength), recordBytes(record) - byteLength - 1_024];
  };
  const short = counted({ ...event, user_addresses: many(100, four) });

  expect(counted({ ...event, user_addresses: [address, address], ref: "order-7" })[0]).toBe(0);
  expect(counted({ ...transaction, user_addresses: [address] })[0]).toBe(0);
  expect(short[1]).toBe(100 * 40);
  expect(counted({ ...event, ref: many(50, (i) => (i % 2 === 0 ? {} : { a: null })) })[1]).toBe(76 * 64);
  expect(counted({ ...transaction, transaction: { a: many(50, () => []) } })[1]).toBe(52 * 64);
  expect(recordBytes(recordOf("{broken"))).toBe(eventBytes(7));
});

test("an unparsed record counts by the characters that begin a piece, beyond an ordinary event", () => {
  const ordinary = Buffer.from(JSON.stringify({ ...event, id: "1", user_addresses: many(4, () => address) }));
  const pieces = Buffer.from(JSON.stringify({ ...event, ref: many(9_500, () => ({})) }));

  expect(valueBytes(ordinary)).toBe(eventBytes(ordinary.byteLength));
  // One bracket for each item of the list, one comma between two items, and five of the event itself.
  const expected = pieces.byteLength + 64 * (9_500 + 9_499 + 5 - 16);
  expect([valueBytes(pieces), ticketBytes(pieces)]).toEqual([1_024 + expected, 2_048 + expected]);
});

test("a record with released bytes counts by its stated size", () => {
  const record = {
    ...recordOf(event),
    sizeBytes: 5_000,
    get bytes(): Uint8Array {
      throw new Error("the bytes were let go");
    },
  };

  expect(recordBytes(record)).toBe(eventBytes(5_000));
});

test.each<[string, (nth: number) => object]>([
  ["an ordinary event", () => ({ ...event, user_addresses: [address] })],
  ["users that are nobody's addresses", () => ({ ...event, user_addresses: many(10_000, four) })],
  [
    "users",
    (nth) => ({
      ...event,
      user_addresses: many(5_000, (i) => `0x${(nth * 5_000 + i).toString(16).padStart(40, "0")}`),
    }),
  ],
  ["a ref of many small pieces", () => ({ ...event, ref: many(9_000, () => ({})) })],
  [
    "a transaction of many fields",
    (nth) => ({ ...transaction, transaction: Object.fromEntries(many(9_000, (i) => [`${nth}-${four(i)}`, i])) }),
  ],
])("%s holds no more than the estimate", async (_name, content) => {
  const count = 20;
  const held: unknown[] = [];
  let counted = 0;
  const hold = (nth: number) => {
    const { bytes, event } = recordOf({ ...content(nth) });
    if (!event.ok) throw new Error(event.detail);
    counted += recordBytes({ event, bytes });
    held.push(event, plan(event.value, defaultPolicy.table, emptyBook));
  };
  const uncounted = async () => {
    held.length = 0;
    counted = 0;
    const before = await heapUsed();
    for (let nth = 0; nth < count; nth++) hold(nth);
    return (await heapUsed()) - before - counted;
  };

  // Other work of the process, such as compiling, only increases a measurement. The smallest of three is the most
  // accurate.
  const least = Math.min(await uncounted(), await uncounted(), await uncounted());

  expect(least).toBeLessThan(200_000);
  expect(held).toHaveLength(2 * count);
});
