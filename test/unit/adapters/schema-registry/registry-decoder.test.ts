import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../../src/adapters/schema-registry/compile-schema.ts";
import type { CompiledSchema, SchemaType } from "../../../../src/adapters/schema-registry/compiled-schema.ts";
import type { EventFormat } from "../../../../src/adapters/schema-registry/event-format.ts";
import { RegistryDecoder } from "../../../../src/adapters/schema-registry/registry-decoder.ts";
import { refText, type SchemaRef } from "../../../../src/adapters/schema-registry/wire-format.ts";
import { fail, ok, type Result } from "../../../../src/kernel/result.ts";
import type { RecordHeaders, StreamRecord } from "../../../../src/kernel/stream.ts";

const texts = { AVRO: '"string"', JSON: "{}", PROTOBUF: 'syntax = "proto3"; message A { int32 a = 1; }' } as const;
const compiled = (type: SchemaType) => compileSchema({ type, text: texts[type], references: [] });
const schemas = new Map<string, Result<CompiledSchema>>([
  ["ids/1", ok(await compiled("AVRO"))],
  ["ids/2", ok(await compiled("PROTOBUF"))],
  ["ids/3", ok(await compiled("JSON"))],
  ["ids/4", fail("is not in the registry")],
]);

function decoding(format: Exclude<EventFormat, "json">, atHand: readonly string[] = [...schemas.keys()]) {
  const asked: string[] = [];
  const cache = {
    get: (ref: SchemaRef) => (atHand.includes(refText(ref)) ? schemas.get(refText(ref)) : undefined),
    touch: (ref: SchemaRef) => atHand.includes(refText(ref)),
    load: async (ref: SchemaRef) => void asked.push(refText(ref)),
  };
  return { decoder: new RegistryDecoder(cache, { format, kind: "ids" }), asked };
}
const record = (value: Uint8Array | undefined, formatHeaders?: RecordHeaders): StreamRecord => ({
  ...{ topic: "events", partition: 0, offset: 7, timestamp: 1, key: Buffer.from("k"), headers: { tenant: "acme" } },
  value,
  ...(formatHeaders === undefined ? {} : { formatHeaders }),
});
const avro = Buffer.from([0, 0, 0, 0, 1, 4, 0x68, 0x69]);
const proto = Buffer.from([0, 0, 0, 0, 2, 0, 8, 5]);
const json = Buffer.concat([Buffer.from([0, 0, 0, 0, 3]), Buffer.from("{}")]);
const plain = Buffer.from('{"a":1}');
const decoded = (format: Exclude<EventFormat, "json">, value: Uint8Array, headers?: RecordHeaders) => {
  const { value: bytes, fault } = decoding(format).decoder.decode(record(value, headers));
  return fault ?? Buffer.from(bytes ?? []).toString();
};

test("auto takes every format", () => {
  expect([avro, proto, json, plain].map((value) => decoded("auto", value))).toEqual([
    '"hi"',
    '{"a":5}',
    "{}",
    '{"a":1}',
  ]);
});

test("a format by its name takes no other", () => {
  expect(decoded("avro", avro)).toBe('"hi"');
  expect(decoded("avro", proto)).toBe("names schema ids/2 of Protobuf, and EVENT_FORMAT wants Avro");
  expect(decoded("protobuf", json)).toBe("names schema ids/3 of JSON Schema, and EVENT_FORMAT wants Protobuf");
  expect(decoded("json-schema", avro)).toBe("names schema ids/1 of Avro, and EVENT_FORMAT wants JSON Schema");
  for (const format of ["avro", "protobuf", "json-schema"] as const)
    expect(decoded(format, plain)).toMatch(/^does not begin with the magic byte 0/);
});

describe("a record that cannot be decoded", () => {
  test("has the reason, and keeps its bytes, its key and its headers", () => {
    const { decoder } = decoding("auto");
    const lacking = Buffer.from([0, 0, 0, 0, 4, 1]);

    expect(decoder.decode(record(lacking))).toEqual({
      ...record(lacking),
      fault: "names schema ids/4, which is not in the registry",
    });
    expect(decoded("auto", avro.subarray(0, 7))).toBe("ends within a field, by schema ids/1");
    expect(decoded("auto", Buffer.from([0, 0]))).toBe("ends within the schema id");
  });

  test("keeps the schema that a header named, by which a replay decodes it", () => {
    const { decoder } = decoding("auto");
    const header = { __value_schema_id: Buffer.from([0, 0, 0, 0, 4]) };
    const { headers, fault } = decoder.decode(record(Buffer.from([1]), header));

    expect(fault).toBe("names schema ids/4, which is not in the registry");
    expect(headers).toEqual({ tenant: "acme", "weir-schema": "ids/4;head=" });
    const again = decoder.decode(record(avro.subarray(5), { "weir-schema": "ids/1;head=" }));
    expect(Buffer.from(again.value ?? []).toString()).toBe('"hi"');
  });

  test("is one with more bytes than an event may have, however small its schema is", () => {
    const large = Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), Buffer.alloc(262_145)]);
    expect(decoded("auto", large)).toBe("is larger than 262144 bytes");
  });
});

test("a tombstone and a record with a fault stay as they are", () => {
  const { decoder, asked } = decoding("avro", []);
  const faulty = { ...record(avro), fault: "has 129 headers, more than 128" };

  expect(decoder.prepare([record(undefined), faulty])).toBe(undefined);
  expect(decoder.decode(record(undefined))).toEqual(record(undefined));
  expect(decoder.decode(faulty)).toEqual(faulty);
  expect(asked).toEqual([]);
});

test("records wait for the schemas that are not at hand, and for no others", async () => {
  const { decoder, asked } = decoding("auto", ["ids/1"]);

  expect(decoder.prepare([record(avro), record(plain), record(Buffer.from([0, 0]))])).toBe(undefined);
  const waits = decoder.prepare([record(avro), record(proto), record(json)]);
  expect(asked).toEqual(["ids/2", "ids/3"]);
  await waits;
  expect(() => decoder.decode(record(proto))).toThrow("schema ids/2 was not loaded before its record is read");
});
