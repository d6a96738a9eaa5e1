import type { KafkaMessage } from "kafkajs";
import type { StreamRecord, TopicPartition } from "../../kernel/stream.ts";

/** The headers that follow a request through many programs. */
export const CARRIED: readonly string[] = ["traceparent", "tracestate"];
const MAX_HEADER_BYTES = 512;

/** A message of kafkajs's, with these of its headers. */
export function streamRecord(
  { topic, partition }: TopicPartition,
  { offset, timestamp, value, headers = {} }: KafkaMessage,
  names: readonly string[],
): StreamRecord {
  const read: [string, string][] = [];
  for (const name of names) {
    const header = [headers[name]].flat()[0];
    if (header !== undefined && header.length <= MAX_HEADER_BYTES) read.push([name, header.toString()]);
  }
  return {
    topic,
    partition,
    offset: Number(offset),
    timestamp: Number(timestamp),
    value: value ?? undefined,
    headers: Object.fromEntries(read),
  };
}
