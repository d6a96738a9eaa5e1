import type { IHeaders, KafkaMessage } from "kafkajs";
import type { RecordHeaders, StreamRecord, TopicPartition } from "../../../kernel/stream.ts";
import { MOST_HEADERS } from "../wire/decode-records.ts";

/** The usual headers that identify a request across programs. */
export const CARRIED: readonly string[] = [
  "traceparent",
  "tracestate",
  "correlation-id",
  "x-correlation-id",
  "x-request-id",
];
const MAX_HEADER_BYTES = 512;
/** Longest names and values together. They need room beside a value of RECORD_MAX_BYTES, within the limit of topics. */
const MAX_CARRIED_BYTES = 2_048;
const NO_HEADERS: RecordHeaders = {};

/** A kafkajs message, with the selected headers. */
export function streamRecord(
  { topic, partition }: TopicPartition,
  { offset, timestamp, key, value, headers, headerCount = 0 }: KafkaMessage & { readonly headerCount?: number },
  names: readonly string[],
): StreamRecord {
  return {
    topic,
    partition,
    offset: Number(offset),
    timestamp: Number(timestamp),
    ...(key === null ? {} : { key }),
    value: value ?? undefined,
    headers: headers === undefined ? NO_HEADERS : readHeaders(headers, names),
    ...(headerCount > MOST_HEADERS ? { fault: `has ${headerCount} headers, more than ${MOST_HEADERS}` } : {}),
  };
}

/** Most records have none of these headers, and share one empty object. */
function readHeaders(headers: IHeaders, names: readonly string[]): RecordHeaders {
  let read: Record<string, string> | undefined;
  let room = MAX_CARRIED_BYTES;
  for (const name of names) {
    const found = headers[name];
    const header: Buffer | string | null | undefined = Array.isArray(found) ? found[0] : found;
    // A header may lack a value, although the types of kafkajs say otherwise.
    if (header === undefined || header === null || header.length > MAX_HEADER_BYTES) continue;
    const text = header.toString();
    // Invalid UTF-8 becomes up to three times as long, and is copied to a record with its own limit.
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_HEADER_BYTES || room < name.length + bytes) continue;
    room -= name.length + bytes;
    read ??= {};
    read[name] = text;
  }
  return read ?? NO_HEADERS;
}
