import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { PassedHeaders } from "../../../../../src/adapters/kafka/consumer/passed-headers.ts";
import { streamRecord } from "../../../../../src/adapters/kafka/consumer/stream-record.ts";
import { quietLog } from "../../../../../src/kernel/log.ts";

const at = { topic: "events", partition: 3 };

function messageWith(headers: Readonly<Record<string, unknown>> | undefined): KafkaMessage {
  const message = { offset: "7", timestamp: "1700000000000", key: null, value: Buffer.from("{}"), attributes: 0 };
  return { ...message, headers } as KafkaMessage;
}

const headers = new PassedHeaders({ names: [] }, quietLog);

test("a record has its position, its time and its value", () => {
  expect(streamRecord(at, messageWith(undefined), headers)).toEqual({
    ...at,
    offset: 7,
    timestamp: 1_700_000_000_000,
    value: Buffer.from("{}"),
    headers: {},
  });
});

test("a tombstone has no value", () => {
  expect(streamRecord(at, { ...messageWith({}), value: null }, headers).value).toBe(undefined);
});

test("a record with too many headers has a fault with their number", () => {
  const faultOf = (headerCount: number) => streamRecord(at, { ...messageWith({}), headerCount }, headers).fault;

  expect([faultOf(128), faultOf(129)]).toEqual([undefined, "has 129 headers, more than 128"]);
});

test("a record has its written key", () => {
  expect(streamRecord(at, { ...messageWith({}), key: Buffer.from("k") }, headers).key).toEqual(Buffer.from("k"));
});
