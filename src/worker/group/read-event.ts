import { parseEvent } from "../../events/event.ts";
import type { Lane } from "../../events/lane.ts";
import { fail } from "../../kernel/result.ts";
import type { StreamRecord } from "../../kernel/stream.ts";
import type { InputRecord, PartitionNow } from "../ports.ts";

/** A record of an input topic as an event, or what is wrong with it. The topic decides the lane, whatever the event says. */
export function readEventRecord(record: StreamRecord, lane: Lane, place: Partial<PartitionNow> = {}): InputRecord {
  const { topic, partition, offset, value, timestamp, headers } = record;
  return {
    ...place,
    source: { topic, partition, offset: String(offset) },
    defaultId: `${topic}/${partition}/${offset}`,
    bytes: value ?? new Uint8Array(),
    event: value === undefined ? fail("the record has no value") : parseEvent(value),
    revision: 0,
    lane,
    timestamp,
    headers,
  };
}
