import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileProtobuf } from "../../../../../src/adapters/schema-registry/protobuf/protobuf-schema.ts";
import type { FramedValue } from "../../../../../src/adapters/schema-registry/wire-format.ts";

/** Made by Protobuf's Java library. Source: tools/make/java/RegistryVectors.java. */
const { protobuf: made } = JSON.parse(readFileSync("test/fixtures/registry-vectors.json", "utf8"));
const bytes = Buffer.from(made.plain, "hex");

const confluent = { by: "ids", id: "1" } as const;
const apicurio = { by: "globalIds", id: "1" } as const;
const reading = (text: string, references: Readonly<Record<string, string>> = {}) =>
  compileProtobuf({
    type: "PROTOBUF",
    text,
    references: Object.entries(references).map(([name, each]) => ({ name, text: each })),
  });
const decoded = (text: string, frame: FramedValue, maxLength = 10_000) =>
  Buffer.from(reading(text).decode(frame, maxLength)).toString();
const behind = (...indexes: number[]) => ({ ref: confluent, body: Buffer.from([...indexes, ...bytes]) });

const expected = JSON.stringify({
  type: "address",
  chain_id: 1,
  address: "0x7f367cc41522ce07553e823bf3be79a889debe1b",
  user_addresses: ["0x1111111111111111111111111111111111111111"],
  occurred_at: "2026-01-01T00:00:00.005Z",
  ref: {
    big: "9007199254740993",
    most: "18446744073709551615",
    least: "-9223372036854775808",
    fixed: "9223372036854775808",
    raw: "0x00ff10",
    by_id: { "-9007199254740993": "x" },
    by_name: { n: { right: 0 } },
    packed: [1, -1],
    ratio: 0.1,
    flag: true,
    text: "",
    number: "-9007199254740993",
    left: "",
    any: { a: [1.5, null, false, "s"] },
    kind: "transaction",
  },
}).replaceAll(/:"(-?\d{16,})"/g, ":$1");

describe("a record of Protobuf's Java library is read exactly:", () => {
  test("its message is named by numbers, in front of it or in a header", () => {
    // The messages of the file are Other and Event.
    expect(decoded(made.schema, behind(2, 2))).toBe(expected);
    expect(decoded(made.schema, { ref: confluent, head: Buffer.from([2, 2]), body: bytes })).toBe(expected);
  });

  test("its message is named by Apicurio, in front of it or in a header", () => {
    const named = Buffer.concat([Buffer.from([7, 10, 5]), Buffer.from("Event"), bytes]);

    expect(decoded(made.schema, { ref: apicurio, body: named })).toBe(expected);
    expect(decoded(made.schema, { ref: apicurio, messageName: "a.b.Event", body: bytes })).toBe(expected);
    expect(decoded(made.schema, { ref: apicurio, messageName: "Event", body: bytes })).toBe(expected);
  });
});

const two = 'syntax = "proto3"; message A { int32 a = 1; message In { int32 i = 1; } } message B { int32 b = 1; }';

test("a single zero names the first message, and a path names a nested one", () => {
  expect(decoded(two, { ref: confluent, body: Buffer.from([0, 8, 5]) })).toBe('{"a":5}');
  expect(decoded(two, { ref: confluent, body: Buffer.from([2, 2, 8, 5]) })).toBe('{"b":5}');
  expect(decoded(two, { ref: confluent, body: Buffer.from([4, 0, 0, 8, 5]) })).toBe('{"i":5}');
});

test("the numbers count the messages of the main file, though an import shares its package", () => {
  const schema = reading('syntax = "proto3"; package p; import "x.proto"; message B { X x = 1; }', {
    "x.proto": 'syntax = "proto3"; package p; message X { int32 n = 1; }',
  });
  const body = Buffer.from([0, 10, 2, 8, 7]);

  expect(Buffer.from(schema.decode({ ref: confluent, body }, 100)).toString()).toBe('{"x":{"n":7}}');
});

test("a later enum value is a number, and an unknown field is left out", () => {
  const schema = 'syntax = "proto3"; enum K { NONE = 0; } message A { K k = 1; }';

  expect(decoded(schema, { ref: confluent, body: Buffer.from([0, 8, 5, 16, 1]) })).toBe('{"k":5}');
});

test("a key named __proto__ is a key like any other", () => {
  const schema = 'syntax = "proto3"; message A { map<string, int32> m = 1; }';
  const entry = Buffer.concat([Buffer.from([10, 9]), Buffer.from("__proto__"), Buffer.from([16, 5])]);
  const body = Buffer.concat([Buffer.from([0, 10, entry.length]), entry]);

  expect(decoded(schema, { ref: confluent, body })).toBe('{"m":{"__proto__":5}}');
});

describe("what does not fit the schema is refused:", () => {
  test.each<[string, FramedValue, string]>([
    ["a message that is not there", { ref: confluent, body: Buffer.from([2, 8, 8, 5]) }, "names message 4"],
    ["a number below zero", { ref: confluent, body: Buffer.from([2, 1, 8, 5]) }, "names message -1"],
    ["a path without an end", { ref: confluent, body: Buffer.alloc(100, 64) }, "names a message by 32 numbers"],
    ["no number", { ref: confluent, body: Buffer.alloc(0) }, "ends before it names its message"],
    ["the end within the message", { ref: confluent, body: Buffer.from([0, 8]) }, "is no message A"],
    [
      "another name",
      { ref: apicurio, messageName: "C", body: Buffer.alloc(0) },
      "names a message that the schema lacks",
    ],
    ["a name in another form", { ref: apicurio, body: Buffer.from([8, 5]) }, "names no message"],
  ])("%s", (_, frame, message) => {
    expect(() => decoded(two, frame)).toThrow(message);
  });

  test("a nested message beside a map field, whose number clients count differently", () => {
    const schema = 'syntax = "proto3"; message A { map<string, int32> m = 1; message In { int32 i = 1; } }';
    expect(() => decoded(schema, { ref: confluent, body: Buffer.from([4, 0, 0, 8, 5]) })).toThrow("within A");
  });

  test("a text that is no UTF-8, and a number that is none", () => {
    const schema = 'syntax = "proto3"; message A { string s = 1; double d = 2; }';
    const nan = Buffer.from([0, 17, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f]);

    expect(() => decoded(schema, { ref: confluent, body: Buffer.from([0, 10, 1, 0xff]) })).toThrow(
      "is no message A: The encoded data was not valid",
    );
    expect(() => decoded(schema, { ref: confluent, body: nan })).toThrow("holds the number NaN");
    const old = schema
      .replace("proto3", "proto2")
      .replaceAll(" string", " optional string")
      .replaceAll(" double", " optional double");
    expect(() => decoded(old, { ref: confluent, body: Buffer.from([0, 10, 1, 0xff]) })).toThrow(/valid/);
  });

  test("a message within a message, and so on", () => {
    const schema = 'syntax = "proto3"; message A { A a = 1; }';
    let body = Buffer.alloc(0);
    for (let i = 0; i < 300; i++) {
      const length = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7];
      body = Buffer.concat([Buffer.from([10, ...length]), body]);
    }
    expect(() => decoded(schema, { ref: confluent, body: Buffer.concat([Buffer.from([0]), body]) })).toThrow();
  });

  test("more JSON than the limit", () => {
    const schema = 'syntax = "proto3"; message A { repeated bool b = 1; }';
    const body = Buffer.concat([Buffer.from([0, 10, 0x88, 0x27]), Buffer.alloc(5_000)]);
    expect(() => decoded(schema, { ref: confluent, body })).toThrow("stands for more than 10000 characters");
  });
});

test("a schema that would take long to compile is refused at once", () => {
  const fields = Array.from({ length: 20_000 }, (_, i) => `int32 f${i} = ${i + 1};`).join("");
  const start = performance.now();

  expect(() => reading(`syntax = "proto3"; message A { ${fields} }`)).toThrow("has more than 2000 statements");
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each([
  ["no schema", "message {"],
  ["an import that is not there", 'syntax = "proto3"; message A { x.Y y = 1; }'],
  ["no message", 'syntax = "proto3"; package a;'],
  ["a field named __proto__", 'syntax = "proto3"; message A { int32 __proto__ = 1; }'],
  ["a name that would be code", 'syntax = "proto3"; message A { int32 a;b = 1; }'],
  ["deep nesting", `syntax = "proto3"; ${"message A { ".repeat(5_000)}${"}".repeat(5_000)}`],
])("a schema with %s is refused", (_, text) => {
  expect(() => decoded(text, { ref: confluent, body: Buffer.from([0]) })).toThrow();
});
