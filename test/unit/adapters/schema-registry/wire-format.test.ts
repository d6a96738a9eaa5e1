import { describe, expect, test } from "vitest";
import { keptSchema, readFrame } from "../../../../src/adapters/schema-registry/wire-format.ts";
import { SCHEMA_HEADER } from "../../../../src/messages/record-key.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
const long = (value: number) => bytes(0, 0, 0, 0, 0, 0, 0, value);
const guid = Buffer.from("89791762233644149b4f5d4c5a1b2c3d", "hex");

describe("the first bytes name the schema:", () => {
  test("a zero and an id of 4 bytes", () => {
    expect(readFrame(bytes(0, 0, 0, 1, 2, 9, 8), {}, "ids")).toEqual({
      ok: true,
      value: { ref: { by: "ids", id: "258" }, body: bytes(9, 8) },
    });
    expect(readFrame(bytes(0, 255, 255, 255, 255), {}, "ids")).toMatchObject({ value: { ref: { id: "4294967295" } } });
  });

  test("with Apicurio's own interface an id of 4 or 8 bytes, of the kind that the settings name", () => {
    const four = readFrame(bytes(0, 0, 0, 0, 5, 9), {}, "contentIds");
    const eight = readFrame(bytes(0, ...long(5), 9), {}, "globalIds");

    expect(four).toEqual({ ok: true, value: { ref: { by: "contentIds", id: "5" }, body: bytes(9) } });
    expect(eight).toEqual({ ok: true, value: { ref: { by: "globalIds", id: "5" }, body: bytes(9) } });
  });

  test.each([
    ["an id that is cut", bytes(0, 0, 0, 5), "ids", "ends within the schema id"],
    ["an id of 8 bytes that is cut", bytes(0, 0, 0, 0, 0, 0, 0, 5), "globalIds", "ends within the schema id"],
    ["an id of 8 bytes at Confluent's interface", bytes(0, ...long(5)), "ids", "SCHEMA_REGISTRY_API=apicurio"],
  ] as const)("%s is a fault", (_, value, kind, fault) => {
    expect(readFrame(value, {}, kind)).toEqual({ ok: false, detail: expect.stringContaining(fault) });
  });

  test("a value that begins otherwise names none", () => {
    expect(readFrame(Buffer.from("{}"), {}, "ids")).toEqual({ ok: true, value: undefined });
    expect(readFrame(bytes(), {}, "ids")).toEqual({ ok: true, value: undefined });
  });
});

describe("a header names the schema, whatever the value begins with:", () => {
  const body = bytes(0, 0, 0, 0, 7, 1);

  test("Confluent's, by an id or a GUID, with the numbers of a message behind it", () => {
    const read = (header: Uint8Array) => readFrame(body, { __value_schema_id: header }, "ids");

    expect(read(bytes(0, 0, 0, 0, 5))).toEqual({
      ok: true,
      value: { ref: { by: "ids", id: "5" }, head: bytes(), body },
    });
    expect(read(Buffer.concat([bytes(1), guid, bytes(2, 2)]))).toEqual({
      ok: true,
      value: { ref: { by: "guids", id: "89791762-2336-4414-9b4f-5d4c5a1b2c3d" }, head: Buffer.from([2, 2]), body },
    });
    for (const header of [
      bytes(),
      bytes(0, 1, 2, 3),
      Buffer.concat([bytes(1), guid.subarray(1)]),
      bytes(2, 0, 0, 0, 5),
    ])
      expect(read(header)).toEqual({ ok: false, detail: "has no schema id in its header __value_schema_id" });
  });

  test("Apicurio's, by one of two ids", () => {
    const read = (headers: object) => readFrame(body, headers as Record<string, Uint8Array>, "contentIds");

    expect(read({ "apicurio.value.globalId": long(5), "apicurio.value.contentId": long(6) })).toEqual({
      ok: true,
      value: { ref: { by: "globalIds", id: "5" }, body },
    });
    expect(read({ "apicurio.value.contentId": long(6), "apicurio.protobuf.type": "a.Event" })).toEqual({
      ok: true,
      value: { ref: { by: "contentIds", id: "6" }, messageName: "a.Event", body },
    });
    expect(read({ "apicurio.value.globalId": bytes(5) })).toMatchObject({ detail: expect.stringContaining("1 bytes") });
    expect(read({ "apicurio.value.globalId": long(5), "apicurio.value.encoding": "JSON" })).toMatchObject({
      detail: expect.stringContaining("only binary Avro is read"),
    });
  });

  test("a header of the other interface counts for nothing", () => {
    expect(readFrame(bytes(), { "apicurio.value.globalId": long(5) }, "ids")).toEqual({ ok: true, value: undefined });
    expect(readFrame(bytes(), { __value_schema_id: bytes(0, 0, 0, 0, 5) }, "globalIds")).toEqual({
      ok: true,
      value: undefined,
    });
  });
});

test.each([
  [{ __value_schema_id: Buffer.from([0, 0, 0, 0, 5]) }, "ids"],
  [{ __value_schema_id: Buffer.concat([bytes(1), guid, bytes(2, 2)]) }, "ids"],
  [{ "apicurio.value.contentId": long(6), "apicurio.protobuf.type": "a.Event" }, "globalIds"],
] as const)("the schema of a header is kept beside a dead letter, and read again: %j", (headers, kind) => {
  const body = bytes(9, 8);
  const kept = keptSchema(body, headers, kind);

  expect(readFrame(body, { [SCHEMA_HEADER]: kept ?? "" }, kind)).toEqual(readFrame(body, headers, kind));
});

test("nothing is kept of a schema that the first bytes name, nor of a name that is too long", () => {
  expect(keptSchema(bytes(0, 0, 0, 0, 5), {}, "ids")).toBe(undefined);
  const long = { "apicurio.value.contentId": bytes(0, 0, 0, 0, 0, 0, 0, 6), "apicurio.protobuf.type": "a".repeat(600) };
  expect(keptSchema(bytes(9), long, "globalIds")).toBe(undefined);
});

test.each(["", "ids", "ids/", "other/5", "ids/../5", "ids/5?x"])("a kept schema %j is a fault", (text) => {
  expect(readFrame(bytes(9), { [SCHEMA_HEADER]: text }, "ids")).toEqual({
    ok: false,
    detail: "has no schema in its header weir-schema",
  });
});
