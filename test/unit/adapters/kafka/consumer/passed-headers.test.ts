import type { IHeaders } from "kafkajs";
import { describe, expect, test } from "vitest";
import {
  type HeaderChoice,
  PassedHeaders,
  TRACE_HEADERS,
} from "../../../../../src/adapters/kafka/consumer/passed-headers.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const at = { topic: "events", partition: 3, offset: 7 };
const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const bytes = (text: string) => Buffer.from(text);
const read = (headers: object | undefined, choice: HeaderChoice, key: Buffer | null = null) => ({
  ...new PassedHeaders(choice, new FakeLog()).read(headers as IHeaders | undefined, key, at),
});
const traces = { names: TRACE_HEADERS };
const all = { names: ["*"] };

test("the named headers are read, and no others", () => {
  const headers = { traceparent: bytes(trace), tracestate: bytes("a=b"), other: bytes("x") };

  expect(read({ ...headers, "x-correlation-id": bytes("c-7") }, traces)).toEqual({
    traceparent: trace,
    tracestate: "a=b",
    "x-correlation-id": "c-7",
  });
  expect(read(undefined, traces)).toEqual({});
});

test("a star stands for all headers but those that describe the value of the event, and Weir's own", () => {
  const wanted = { traceparent: bytes(trace), tenant: bytes("acme"), __proto: bytes("x") };
  const others = ["weir-decision", "Weir-Key", "__value_schema_id", "__key_schema_id", "apicurio.value.globalId"];
  const java = ["__TypeId__", "__KeyTypeId__", "__ContentTypeId__", "content-type", "contentType", "input-key"];
  const replies = ["kafka_replyTopic", "kafka_replyPartition"];
  const unwanted = Object.fromEntries([...others, ...java, ...replies].map((name) => [name, bytes("x")]));

  expect(read({ ...unwanted, ...wanted }, all)).toEqual({ traceparent: trace, tenant: "acme", __proto: "x" });
});

test("a header that describes the value comes by its name, Weir's own never", () => {
  const headers = { "content-type": bytes("text/csv"), "weir-key": bytes("forged"), "input-key": bytes("forged") };

  expect(read(headers, { names: ["content-type", "weir-key", "input-key", "__value_schema_id"] })).toEqual({
    "content-type": "text/csv",
  });
  expect(read(headers, { names: [], own: ["weir-key"] })).toEqual({ "weir-key": "forged" });
});

test("a value that is no UTF-8 comes back byte by byte, in memory of its own", () => {
  const fetched = Buffer.from([1, 2, 0xff, 0xfe, 3]);
  const value = read({ kafka_correlationId: fetched.subarray(2, 4) }, traces)["kafka_correlationId"];

  expect(value).toEqual(new Uint8Array([0xff, 0xfe]));
  expect((value as Uint8Array).buffer.byteLength).toBe(2);
});

test.each(["__proto__", "constructor", "toString"])("a header named %s is a header like any other", (name) => {
  const headers = Object.create(null) as Record<string, Buffer>;
  headers[name] = bytes("x");
  const passed = new PassedHeaders(all, new FakeLog());

  expect(Object.entries(passed.read(headers, null, at))).toEqual([[name, "x"]]);
  expect(Object.entries(passed.read({}, null, at))).toEqual([]);
  expect(read({}, { names: [name] })).toEqual({});
});

describe("within bounds:", () => {
  test("32 headers are passed, those that are named first", () => {
    const names = Array.from({ length: 33 }, (_, i) => `h${i}`);
    const headers = Object.fromEntries(names.map((name) => [name, bytes("x")]));

    expect(Object.keys(read(headers, all))).toEqual(names.slice(0, 32));
    expect(Object.keys(read(headers, { names: ["*", "h32"] }))).toEqual(["h32", ...names.slice(0, 31)]);
  });

  test("names and values have 8192 bytes, and one that does not fit is left out", () => {
    const headers = { a: Buffer.alloc(4_095, "x"), b: Buffer.alloc(4_095, "x"), c: bytes("x") };

    expect(Object.keys(read(headers, all))).toEqual(["a", "b"]);
    expect(Object.keys(read({ ...headers, b: Buffer.alloc(4_096, "x") }, all))).toEqual(["a", "c"]);
  });

  test("headers that Weir wrote itself take no room", () => {
    const headers = { "weir-key": bytes("k".repeat(512)), a: Buffer.alloc(8_191, "x") };

    expect(Object.keys(read(headers, { names: ["*"], own: ["weir-key"] }))).toEqual(["weir-key", "a"]);
  });

  test("the first header that is left out is logged, without its name", () => {
    const log = new FakeLog();
    const passed = new PassedHeaders(all, log);
    for (let i = 0; i < 3; i++) passed.read({ secret: Buffer.alloc(9_000) }, null, at);

    expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([["warn", at]]);
    expect(JSON.stringify(log.lines)).not.toContain("secret");
  });
});

test("the first of several equal headers counts, and a header without a value is skipped", () => {
  expect(read({ traceparent: [bytes(trace), bytes("x")], tracestate: null }, traces)).toEqual({ traceparent: trace });
  expect(read({ traceparent: [null, bytes(trace)], tracestate: bytes("") }, traces)).toEqual({ tracestate: "" });
});

test("the key of a record becomes a header where that is wanted, up to 512 bytes", () => {
  const choice = { names: [], addsKey: true };

  expect(read({ "input-key": bytes("forged") }, choice, bytes("wallet-7"))).toEqual({ "input-key": "wallet-7" });
  expect(read({}, choice, Buffer.from([0xff]))).toEqual({ "input-key": new Uint8Array([0xff]) });
  expect(read({}, choice, Buffer.alloc(512, "k"))).toEqual({ "input-key": "k".repeat(512) });
  expect(read({}, choice, Buffer.alloc(513, "k"))).toEqual({});
  expect(read({ "input-key": bytes("forged") }, choice)).toEqual({});
  expect(read({}, { names: [] }, bytes("wallet-7"))).toEqual({});
});
