import type { KafkaMessage } from "kafkajs";
import type { StreamRecord, TopicPartition } from "../../../kernel/stream.ts";
import { MOST_HEADERS } from "../wire/decode-records.ts";
import type { PassedHeaders } from "./passed-headers.ts";

/** A kafkajs message, with the selected headers. */
export function streamRecord(
  { topic, partition }: TopicPartition,
  message: KafkaMessage & { readonly headerCount?: number },
  headers: PassedHeaders,
): StreamRecord {
  const { timestamp, key, value, headerCount = 0 } = message;
  const at = { topic, partition, offset: Number(message.offset) };
  const formatHeaders = headers.format(message.headers);
  return {
    ...at,
    timestamp: Number(timestamp),
    ...(key === null ? {} : { key }),
    value: value ?? undefined,
    headers: headers.read(message.headers, key, at),
    ...(formatHeaders === undefined ? {} : { formatHeaders }),
    ...(headerCount > MOST_HEADERS ? { fault: `has ${headerCount} headers, more than ${MOST_HEADERS}` } : {}),
  };
}
