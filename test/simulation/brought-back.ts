import type { OutRecord, StreamRecord } from "../../src/kernel/stream.ts";

/** A ticket as its retry topic delivers it. */
export function broughtBack(
  { topic, value, headers = {} }: OutRecord<Uint8Array>,
  offset: number,
  timestamp: number,
): StreamRecord {
  return { topic, partition: 0, offset, timestamp, value, headers };
}
