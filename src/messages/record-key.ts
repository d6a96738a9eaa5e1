import type { RecordHeaders } from "../kernel/stream.ts";

/** Headers that hold the key of a record that is no event: as text, or as base64 where it is no UTF-8. */
export const KEY_HEADERS = ["weir-key", "weir-key-base64"] as const;

/** Longest key that is kept, bytes. A longer one is left out: source topic, partition and offset lead to it. */
export const MAX_KEY_BYTES = 512;
/** Longest key that is kept as base64, which takes four bytes for three. */
const MAX_BINARY_KEY_BYTES = 384;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The header that keeps this key; no header for a record without a key, and for a key that is too long. */
export function keyHeaders(key: Uint8Array | undefined): RecordHeaders {
  if (key === undefined || key.byteLength > MAX_KEY_BYTES) return {};
  try {
    return { "weir-key": utf8.decode(key) };
  } catch {
    if (key.byteLength > MAX_BINARY_KEY_BYTES) return {};
    return { "weir-key-base64": Buffer.from(key).toString("base64") };
  }
}
