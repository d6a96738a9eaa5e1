import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { CARRIED, streamRecord } from "../../../../../src/adapters/kafka/consumer/stream-record.ts";

const at = { topic: "events", partition: 3 };
const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

function messageWith(headers: Readonly<Record<string, unknown>> | undefined): KafkaMessage {
  const message = { offset: "7", timestamp: "1700000000000", key: null, value: Buffer.from("{}"), attributes: 0 };
  return { ...message, headers } as KafkaMessage;
}

const headersOf = (headers: Readonly<Record<string, unknown>> | undefined) =>
  streamRecord(at, messageWith(headers), CARRIED).headers;

test("a record has its position, its time and its value", () => {
  expect(streamRecord(at, messageWith(undefined), CARRIED)).toEqual({
    ...at,
    offset: 7,
    timestamp: 1_700_000_000_000,
    value: Buffer.from("{}"),
    headers: {},
  });
});

test("a tombstone has no value", () => {
  expect(streamRecord(at, { ...messageWith({}), value: null }, CARRIED).value).toBe(undefined);
});

test("a record with too many headers has a fault with their number", () => {
  const faultOf = (headerCount: number) => streamRecord(at, { ...messageWith({}), headerCount }, CARRIED).fault;

  expect([faultOf(128), faultOf(129)]).toEqual([undefined, "has 129 headers, more than 128"]);
});

test("a record has its written key", () => {
  expect(streamRecord(at, { ...messageWith({}), key: Buffer.from("k") }, CARRIED).key).toEqual(Buffer.from("k"));
});

test("the headers of traces and correlations are read, and no others", () => {
  const headers = { traceparent: Buffer.from(trace), tracestate: Buffer.from("a=b"), other: Buffer.from("x") };
  expect(headersOf({ ...headers, "x-correlation-id": Buffer.from("c-7") })).toEqual({
    traceparent: trace,
    tracestate: "a=b",
    "x-correlation-id": "c-7",
  });
});

test("all headers have 2048 bytes in total, and one that does not fit is left out", () => {
  const names = ["a", "b", "c", "d", "e"];
  const headers = Object.fromEntries(names.map((name) => [name, Buffer.alloc(name === "e" ? 43 : 500, "x")]));
  const read = (more: object = {}) =>
    Object.keys(streamRecord(at, messageWith({ ...headers, ...more }), names).headers);

  expect(read()).toEqual(names);
  expect(read({ e: Buffer.alloc(44, "x") })).toEqual(["a", "b", "c", "d"]);
  expect(read({ d: Buffer.alloc(512, "x"), e: Buffer.alloc(32, "x") })).toEqual(["a", "b", "c", "d"]);
});

test("the first of several equal headers counts", () => {
  expect(headersOf({ traceparent: [Buffer.from(trace), Buffer.from("x")] })).toEqual({ traceparent: trace });
});

test.each([
  ["a header without a value", { traceparent: null }],
  ["several of them", { traceparent: [null, Buffer.from(trace)] }],
  ["one that is too long", { traceparent: Buffer.alloc(513, "x") }],
])("%s is skipped, and the record is read", (_, headers) => {
  expect(headersOf({ ...headers, tracestate: Buffer.from("a=b") })).toEqual({ tracestate: "a=b" });
});

test("a header of 512 bytes is read, and so is an empty one", () => {
  const text = "x".repeat(512);
  expect(headersOf({ traceparent: Buffer.from(text), tracestate: Buffer.alloc(0) })).toEqual({
    traceparent: text,
    tracestate: "",
  });
});

test("invalid UTF-8 takes more bytes as text, and counts with its size as text", () => {
  const torn = (bytes: number) => headersOf({ tracestate: Buffer.alloc(bytes, 0xff) });

  expect(torn(170)).toEqual({ tracestate: "\ufffd".repeat(170) });
  expect(torn(171)).toEqual({});
});
