import fc from "fast-check";
import { expect, test } from "vitest";
import { parseEvent, readEvent } from "../../../src/events/event.ts";
import { isPlainEvent } from "../../../src/events/plain-event.ts";
import { parseExact, repeatedKey } from "../../../src/kernel/json.ts";

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
/** Mostly what most events have. */
const event = fc.oneof({ weight: 3, arbitrary: members.map(known) }, members);

function known(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([field]) => (names as readonly string[]).includes(field)));
}

test("an event that is taken for a plain one is read by the schema, as it is", () => {
  let plain = 0;
  fc.assert(
    fc.property(event, (value) => {
      const text = JSON.stringify(value);
      const parsed = parseExact(text);
      if (!isPlainEvent(parsed)) return;
      plain++;
      expect(readEvent(parseExact(text))).toEqual({ ok: true, value: parsed });
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
      const isDeep = Reflect.get(value, "type") === "transaction";
      const twice = repeatedKey(text, isDeep ? 64 : 1, "ref");
      const expected =
        twice === undefined ? readEvent(parseExact(text)) : { ok: false, detail: `${twice}: given twice` };
      expect(parseEvent(Buffer.from(text))).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

test("as many users as a request may have items, and one more", () => {
  const withUsers = (count: number) => ({
    type: "address",
    chain_id: "1",
    address: "0x",
    user_addresses: Array.from({ length: count }, () => "0x"),
  });
  const read = (count: number) => parseEvent(Buffer.from(JSON.stringify(withUsers(count)))).ok;

  expect([isPlainEvent(withUsers(10_000)), read(10_000)]).toEqual([true, true]);
  expect([isPlainEvent(withUsers(10_001)), read(10_001)]).toEqual([false, false]);
});
