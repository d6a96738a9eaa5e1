import type { RecordHeaders } from "../kernel/stream.ts";

/** Header of a malformed record with the schema that another header of the record named. */
export const SCHEMA_HEADER = "weir-schema";

/** Headers that stay with a malformed record: its key as text, or as base64 when it is not UTF-8, and its schema. */
export const RECORD_HEADERS = ["weir-key", "weir-key-base64", SCHEMA_HEADER] as const;

/** Header of a verdict with the key of its input record, as KAFKA_INPUT_KEY_AS says. */
export const INPUT_KEY_HEADER = "input-key";

/**
 * The longest key that is kept, bytes. A longer key is left out; source topic, partition and offset identify the
 * record.
 */
export const MAX_KEY_BYTES = 512;
/** The longest key that is kept as base64, which takes four bytes for three. */
const MAX_BINARY_KEY_BYTES = 384;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The header that keeps this key. Empty for a record without a key and for a key that is too long. */
export function keyHeaders(key: Uint8Array | undefined): RecordHeaders {
  if (key === undefined || key.byteLength > MAX_KEY_BYTES) return {};
  try {
    return { "weir-key": utf8.decode(key) };
  } catch {
    if (key.byteLength > MAX_BINARY_KEY_BYTES) return {};
    return { "weir-key-base64": Buffer.from(key).toString("base64") };
  }
}
