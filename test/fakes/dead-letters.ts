import { sha256 } from "../../src/kernel/hash.ts";
import type { StreamRecord } from "../../src/kernel/stream.ts";

/** A dead letter of a worker on the event `bytes`; a test may change its fields. */
export function deadLetter(
  headers: Readonly<Record<string, string>> = {},
  bytes: string | Uint8Array = '{"type":"address","chain_id":"eth","address":"0x1","tenant":"acme"}',
): StreamRecord {
  const value = Buffer.from(bytes);
  return {
    topic: "dead",
    partition: 0,
    offset: 0,
    timestamp: 0,
    value,
    headers: {
      "weir-reasons": "SERVICE_UNAVAILABLE",
      "weir-verdict-id": sha256("verdict"),
      "weir-revision": "0",
      "weir-default-id": "live/3/7",
      "weir-topic": "live",
      "weir-partition": "3",
      "weir-offset": "7",
      "weir-lane": "realtime",
      "weir-attempts": "10",
      "weir-sha256": sha256(value),
      "weir-bytes": String(value.byteLength),
      "weir-failed-at": "2026-01-31T08:00:00.000Z",
      ...headers,
    },
  };
}
