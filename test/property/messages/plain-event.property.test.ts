import fc from "fast-check";
import { expect, test } from "vitest";
import { parseExact, repeatedKey } from "../../../src/kernel/json.ts";
import { parseEvent, readEvent } from "../../../src/messages/parse-event.ts";
import { readPlainEvent } from "../../../src/messages/plain-event.ts";

const address = fc.constantFrom("0x52908400098527886e0f7030069857d2e4169ee7", "TXYZ", "", "é");
const often = <T>(good: fc.Arbitrary<T>, others: fc.Arbitrary<T>) => fc.oneof({ weight: 6, arbitrary: good }, others);
const name = often(
  fc.constantFrom<unknown>("order-1", "a b", "x".repeat(256)),
  fc.constantFrom<unknown>("", "é", "a\u0000b", "x".repeat(257), 7, null),
);
const names = ["type", "chain_id", "address", "user_addresses", "token_address", "id", "tenant"] as const;
const members = fc.record(
  {
    type: often(fc.constant<unknown>("address"), fc.constantFrom<unknown>("transaction", null)),
    chain_id: often(fc.constantFrom<unknown>("1", "eth", "nowhere", ""), fc.constantFrom<unknown>(1, -1, 2 ** 60)),
    address: often<unknown>(address, fc.constantFrom<unknown>(1, null)),
    user_addresses: often<unknown>(fc.array(address, { maxLength: 3 }), fc.constantFrom<unknown>([1], null, {}, "0x")),
    token_address: often<unknown>(address, fc.constant<unknown>(null)),
    id: name,
    tenant: name,
    user_address: address,
    userAddresses: fc.constant<unknown>([]),
    adress: address,
    lane: fc.constantFrom<unknown>("realtime", "slow"),
    ref: fc.jsonValue({ maxDepth: 1 }),
    wallet: address,
    transaction: fc.constant<unknown>({}),
  },
  { requiredKeys: ["type", "chain_id", "address"] },
);
/** Mostly the members of a usual event. */
const event = fc.oneof({ weight: 3, arbitrary: members.map(known) }, members);

function known(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => (names as readonly string[]).includes(field)));
}

const plainOf = (text: string) => {
  // Among other bytes, like the lines of a file.
  const bytes = Buffer.from(`"${text}"`);
  return readPlainEvent(bytes, 1, bytes.length - 1);
};

/** The result of the schema and the code around it. */
function bySchema(text: string) {
  const value = parseExact(text);
  const twice = repeatedKey(text, Object(value).type === "transaction" ? 64 : 1, "ref");
  return twice === undefined ? readEvent(value) : { ok: false, detail: `${twice}: given twice` };
}

test("the schema gives the same event for every event that the short way reads", () => {
  let plain = 0;
  fc.assert(
    fc.property(event, (value) => {
      const text = JSON.stringify(value);
      const read = plainOf(text);
      if (read === undefined) return;
      plain++;
      expect(bySchema(text)).toEqual({ ok: true, value: read });
    }),
    { numRuns: 3_000 },
  );
  expect(plain).toBeGreaterThan(100);
});

test("a record is read alike with and without the short way, repeated names included", () => {
  fc.assert(
    fc.property(event, fc.nat(), fc.boolean(), (value, at, isRepeated) => {
      const pairs = Object.entries(value).map(
        ([field, member]) => `${JSON.stringify(field)}:${JSON.stringify(member)}`,
      );
      const text = `{${[...pairs, ...(isRepeated ? [pairs[at % pairs.length]] : [])].join(",")}}`;
      expect(parseEvent(Buffer.from(text))).toEqual(bySchema(text));
    }),
    { numRuns: 2_000 },
  );
});

const A = "0x52908400098527886e0f7030069857d2e4169ee7";
const whole = `{ "type":"address",\t"chain_id" : "eth","address":"${A}",\n"user_addresses":["${A}" , "TXYZ"],"id":"a b"} `;
const readAsItIs = { type: "address", chain_id: "eth", address: A, user_addresses: [A, "TXYZ"], id: "a b" };

test("white space may stand between all parts", () => {
  expect(plainOf(whole)).toEqual(readAsItIs);
  expect(plainOf(whole.replaceAll(/\s(?=[^b])/g, ""))).toEqual(readAsItIs);
});

test("after a change of any byte, the record is read as the schema reads it, or refused", () => {
  let plain = 0;
  const changed = fc.oneof(
    fc.constantFrom(...Buffer.from('"\\,:{}[]\r\t\n 0aé\u007f\u0000')),
    fc.integer({ min: 0, max: 255 }),
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), changed, fc.nat(2), (at, byte, removed) => {
      const bytes = Buffer.from(whole);
      const other = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + removed)]);
      const read = readPlainEvent(other, 0, other.length);
      if (read === undefined) return;
      plain++;
      expect(bySchema(other.toString())).toEqual({ ok: true, value: read });
    }),
    { numRuns: 5_000 },
  );
  expect(plain).toBeGreaterThan(500);
});

test("every prefix and suffix of a record is left to the schema", () => {
  const record = whole.trim();
  for (let at = 0; at < record.length; at++) expect(plainOf(record.slice(0, at))).toBeUndefined();
  for (let at = 1; at <= record.length; at++) expect(plainOf(record.slice(at))).toBeUndefined();
});

test.each([
  "{}",
  "[]",
  `${whole}{}`,
  whole.replace('"id"', '"\\u0069d"'),
  whole.replace("a b", "a\\tb"),
  whole.replace("a b", "é"),
  whole.replace("a b", ""),
  whole.replace("a b", "x".repeat(257)),
  whole.replace(', "TXYZ"', ","),
  whole.replace(', "TXYZ"', ", 1"),
  whole.replace('"eth"', "1"),
  whole.replace("eth", "e\u0000"),
  whole.replace("}", ",}"),
  whole.replace('"a b"}', '"a b","tenant":"t","tenant":"t"}'),
  whole.replace('"id"', '"ref"'),
  `\uFEFF${whole}`,
  `${whole}\r`,
])("%j is left to the schema", (text) => {
  expect(plainOf(text)).toBeUndefined();
});

test("the short way reads as many users as a request may have items, and one more", () => {
  const withUsers = (count: number) =>
    JSON.stringify({
      type: "address",
      chain_id: "1",
      address: "0x",
      user_addresses: Array.from({ length: count }, () => "0x"),
    });
  const read = (count: number) => parseEvent(Buffer.from(withUsers(count))).ok;

  expect([plainOf(withUsers(10_000))?.user_addresses?.length, read(10_000)]).toEqual([10_000, true]);
  expect([plainOf(withUsers(10_001)), read(10_001)]).toEqual([undefined, false]);
});

test("an event takes nothing from the event before", () => {
  const [first, second] = [
    whole.replace('"id":"a b"', '"tenant":"one"'),
    whole.replace('"id":"a b"', '"tenant":"two"'),
  ];

  expect([plainOf(first)?.tenant, plainOf(second)?.tenant, plainOf(whole)?.tenant]).toEqual(["one", "two", undefined]);
  expect(plainOf(whole.replace("eth", "btc"))?.chain_id).toBe("btc");
});
