import { describe, expect, test } from "vitest";
import { MAX_EVENT_BYTES } from "../../../../src/messages/event.ts";
import { namesInMalformed } from "../../../../src/messages/unread/malformed-names.ts";

const namesIn = (value: unknown) =>
  namesInMalformed(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));

describe("a malformed record", () => {
  test("keeps its id, tenant and ref", () => {
    const ref = { order: 7, rows: [1] };
    const names = { id: "order-7", tenant: "acme", ref };

    expect(namesIn({ ...names, type: "address", chain_id: "1" })).toEqual(names);
    expect(namesIn({ ...names, type: "deposit" })).toEqual(names);
    expect(namesIn({ id: "order-7" })).toEqual({ id: "order-7" });
  });

  test.each([
    ["a number", 7],
    ["an empty text", ""],
    ["a text of two lines", "a\nb"],
    ["a text that is too long", "x".repeat(257)],
    ["null", null],
  ])("leaves out an id that is %s and keeps the other names", (_what, id) => {
    expect(namesIn({ id, tenant: "acme" })).toEqual({ tenant: "acme" });
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["null", "null"],
    ["a number", "7"],
    ["a repeated key", '{"id":"a","id":"b","tenant":"acme"}'],
    ["a key that is repeated in other letters", '{"id":"a","\\u0069d":"b"}'],
    ["deep nesting", `{"id":"a","ref":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["too many bytes", JSON.stringify({ id: "a", note: "x".repeat(MAX_EVENT_BYTES) })],
  ])("has no names when it has %s", (_what, text) => {
    expect(namesIn(text)).toEqual({});
  });

  test("has no names when its bytes are no text", () => {
    expect(namesInMalformed(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual({});
  });
});
