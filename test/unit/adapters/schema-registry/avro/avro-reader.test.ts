import { readFileSync } from "node:fs";
import avro from "avsc";
import { describe, expect, test } from "vitest";
import { compileAvro } from "../../../../../src/adapters/schema-registry/avro/avro-schema.ts";
import { parseEvent } from "../../../../../src/messages/parse-event.ts";

/** Made by Avro's Java library. Source: tools/make/java/RegistryVectors.java. */
const { avro: made } = JSON.parse(readFileSync("test/fixtures/registry-vectors.json", "utf8"));

const ref = { by: "ids", id: "1" } as const;
const reading = (schema: unknown, references: readonly unknown[] = []) =>
  compileAvro({
    type: "AVRO",
    text: typeof schema === "string" ? schema : JSON.stringify(schema),
    references: references.map((each, i) => ({ name: `r${i}`, text: JSON.stringify(each) })),
  });
const read = (schema: unknown, bytes: readonly number[] | Uint8Array, maxLength = 10_000) =>
  Buffer.from(reading(schema).decode({ ref, body: Uint8Array.from(bytes) }, maxLength)).toString();
const typed = (type: unknown) => JSON.stringify(type);

const inner = (any: string) =>
  `{"big":9007199254740993,"least":-9223372036854775808,"small":-7,"amount":12345678901234567890.0050,"debt":-0.05,` +
  `"raw":"0x00ff10","ratio":0.1,"half":0.5,"flag":true,"at":1767225600000,"any":${any}}`;
const expected =
  `{"type":"address","chain_id":1,"address":"0x7f367cc41522ce07553e823bf3be79a889debe1b","token_address":null,` +
  `"user_addresses":["0x1111111111111111111111111111111111111111","žluťoučký 🐎"],"ref":${inner(inner('{"k":9007199254740993}'))}}`;

test.each(["plain", "blocks"])("a record of Avro's Java library is read exactly, written %s", (form) => {
  expect(read(made.schema, Buffer.from(made[form], "hex"))).toBe(expected);
});

test("the JSON is an event with the exact numbers of the record", () => {
  const event = parseEvent(Buffer.from(read(made.schema, Buffer.from(made.plain, "hex"))));

  expect(event.ok && event.value.chain_id).toBe("1");
  expect(JSON.stringify(event)).toContain('"big":9007199254740993,"least":-9223372036854775808');
  expect(JSON.stringify(event)).toContain('"amount":12345678901234567890.0050');
});

test("types of another subject are found by their names", () => {
  const address = { type: "record", name: "a.Address", fields: [{ name: "text", type: "string" }] };
  const schema = { type: "record", name: "E", fields: [{ name: "to", type: "a.Address" }] };
  const body = Buffer.from([4, 0x68, 0x69]);

  expect(Buffer.from(reading(schema, [address]).decode({ ref, body }, 100)).toString()).toBe('{"to":{"text":"hi"}}');
  expect(() => reading(schema)).toThrow("is no Avro schema: undefined type name: a.Address");
});

test.each(["constructor", "toString", "hasOwnProperty"])("no type is named %s unless a schema defines it", (name) => {
  expect(() => reading({ type: "array", items: name })).toThrow("is no Avro schema");
  expect(read({ type: "record", name, fields: [{ name, type: "int" }] }, [2])).toBe(`{"${name}":1}`);
});

describe("bytes that do not fit the schema are refused", () => {
  test.each<[string, string, readonly number[], string]>([
    ["the end within a text", typed("string"), [20, 0x61], "ends within a field"],
    ["the end within a number", typed("long"), [0x80], "ends within a field"],
    ["a number of more than 64 bits", typed("long"), Array(11).fill(0xff), "holds a number of more than 64 bits"],
    ["bytes behind the last field", typed("int"), [2, 0, 0], "holds 2 bytes behind its last field"],
    ["a text that is no UTF-8", typed("string"), [2, 0xff], "holds a text that is not valid UTF-8"],
    ["a length below zero", typed("bytes"), [1], "holds a length out of range"],
    ["a boolean of 2", typed("boolean"), [2], "neither 0 nor 1"],
    ["an unknown branch", typed(["null", "int"]), [4], "names branch 2 of a union of 2"],
    ["a branch below zero", typed(["null", "int"]), [1], "names branch or symbol -1"],
    ["an unknown symbol", typed({ type: "enum", name: "E", symbols: ["A"] }), [2], "names symbol 1 of an enum of 1"],
    ["no number", typed("double"), [0, 0, 0, 0, 0, 0, 0xf8, 0x7f], "holds the number NaN, which JSON does not have"],
    ["an infinite number", typed("float"), [0, 0, 0x80, 0x7f], "holds the number Infinity"],
  ])("%s", (_, schema, bytes, message) => {
    expect(() => read(schema, bytes)).toThrow(message);
  });
});

describe("a few bytes that stand for too much are refused at once:", () => {
  // The reader of the library would allocate for every one of these items.
  const many = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];

  test.each([
    ["items that take no bytes", { type: "array", items: "null" }],
    ["empty records", { type: "array", items: { type: "record", name: "R", fields: [] } }],
  ])("%s", (_, schema) => {
    expect(() => read(schema, [...many, 0])).toThrow("stands for more than 10000 characters of JSON");
  });

  test("a block that says more items than there are bytes", () => {
    expect(() => read({ type: "array", items: "string" }, [...many, 0])).toThrow("ends within a field");
  });

  test("a decimal of thousands of digits", () => {
    const schema = { type: "bytes", logicalType: "decimal", precision: 9_999, scale: 2 };
    expect(() => read(schema, [0x82, 1, ...Array(65).fill(1)])).toThrow("a decimal of more than 64 bytes");
  });

  test("a record within a record, and so on", () => {
    const schema = { type: "record", name: "R", fields: [{ name: "r", type: ["null", "R"] }] };
    const nested = (levels: number) => [...Array(levels - 1).fill(2), 0];

    expect(read(schema, nested(63))).toContain('{"r":null}');
    expect(() => read(schema, nested(65))).toThrow("is nested deeper than 64 levels");
    expect(() => read(schema, nested(200_000))).toThrow("is nested deeper than 64 levels");
  });
});

describe("a schema that could do harm is refused:", () => {
  test("one that nests without an end", () => {
    const deep = `${'{"type":"array","items":'.repeat(70)}"int"${"}".repeat(70)}`;
    expect(() => reading(deep)).toThrow("is nested deeper than 64 levels");
  });

  test("one with too many values", () => {
    const fields = Array.from({ length: 10_001 }, (_, i) => ({ name: `f${i}`, type: "int" }));
    expect(() => reading({ type: "record", name: "R", fields })).toThrow("has more than 20000 values");
  });

  test.each([
    { type: "record", name: "R", fields: [{ name: "__proto__", type: "int" }] },
    { type: "record", name: "__proto__", fields: [] },
    { type: "enum", name: "E", symbols: ["__proto__"] },
  ])("one that names the prototype: %j", (schema) => {
    expect(() => reading(schema)).toThrow("names __proto__");
  });

  test.each(["a b", "a;process.exit()", "a){};", "1", ""])("one with a field named %j, which would be code", (name) => {
    expect(() => reading({ type: "record", name: "R", fields: [{ name, type: "int" }] })).toThrow("is no Avro schema");
    expect(() => reading({ type: "record", name: name || " ", fields: [] })).toThrow("is no Avro schema");
  });

  test.each(["", "{", "null", '"none"', "[]extra", '{"type":"record"}'])("text that is no schema: %j", (text) => {
    expect(() => reading(text)).toThrow("is no Avro schema");
  });
});

test("a decimal with a scale that is none is the bytes themselves, as the specification says", () => {
  expect(read({ type: "bytes", logicalType: "decimal", precision: 4, scale: -1 }, [4, 1, 2])).toBe('"0x0102"');
});

test("a uuid is its text, in 16 bytes as well", () => {
  const text = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6";
  const bytes = Buffer.from(text.replaceAll("-", ""), "hex");

  expect(read({ type: "fixed", name: "U", size: 16, logicalType: "uuid" }, bytes)).toBe(`"${text}"`);
  const asText = avro.Type.forSchema("string").toBuffer(text);
  expect(read({ type: "string", logicalType: "uuid" }, asText)).toBe(`"${text}"`);
});
