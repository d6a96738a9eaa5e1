import { fail, type Result } from "../../../kernel/result.ts";
import type { RecordHeaders, StreamRecord } from "../../../kernel/stream.ts";
import type { ScreeningEvent } from "../../../messages/event.ts";
import type { Lane } from "../../../messages/lane.ts";
import type { JsonMapping } from "../../../messages/mapping/map-json.ts";
import { parseEvent } from "../../../messages/parse-event.ts";
import { keyHeaders } from "../../../messages/record-key.ts";
import type { OnStrays } from "../../../messages/unread/stray-address.ts";
import type { Source } from "../../../messages/verdict.ts";
import type { InputRecord, PartitionNow } from "../../ports.ts";
import { OwnRecord } from "./own-record.ts";

const NOTHING = new Uint8Array();
/** For a topic that is only read. */
const ANYBODYS: PartitionNow = { isOurs: () => true, isCrowded: () => false };

/** Reads records in other JSON as events. */
export type EventMapping = Pick<JsonMapping, "event">;

export interface ReadEventOptions {
  readonly place?: PartitionNow;
  /** Called with addresses in the event that are not read. */
  readonly onStrays?: OnStrays;
  readonly mapping?: EventMapping | undefined;
}

/** A record of a topic has no line. */
const NO_LINE = 0;

/**
 * Reads a record of an input topic as an event, or as the fault that makes it invalid. The topic decides the lane, even
 * if the event names another.
 */
export function readEventRecord(record: StreamRecord, lane: Lane, options: ReadEventOptions = {}): InputRecord {
  return new EventRecord(record, lane, options);
}

/** A record that is no event may have no id. Its producer may recognize it by its key. */
function withKey({ topic, partition, offset, timestamp, value, headers, key }: StreamRecord): StreamRecord {
  return { topic, partition, offset, timestamp, value, headers: { ...headers, ...keyHeaders(key) } };
}

function eventIn({ value, fault }: StreamRecord, { onStrays, mapping }: ReadEventOptions): Result<ScreeningEvent> {
  if (fault !== undefined) return fail(`the record ${fault}`);
  if (value === undefined) return fail("the record has no value");
  return mapping === undefined ? parseEvent(value, onStrays) : mapping.event(value, NO_LINE, undefined, onStrays);
}

/** Holds only the record, since thousands of records wait. All other properties are computed on demand. */
class EventRecord implements InputRecord {
  readonly event: Result<ScreeningEvent>;
  readonly lane: Lane;
  readonly revision = 0;
  readonly #record: StreamRecord;
  readonly #place: PartitionNow;
  readonly #isMapped: boolean;

  constructor(record: StreamRecord, lane: Lane, options: ReadEventOptions) {
    const { place = ANYBODYS, mapping } = options;
    this.event = eventIn(record, options);
    this.#isMapped = mapping !== undefined;
    this.lane = lane;
    this.#record = new OwnRecord(this.event.ok ? record : withKey(record));
    this.#place = place;
  }

  get source(): Source {
    const { topic, partition, offset } = this.#record;
    return { topic, partition, offset: String(offset) };
  }

  get defaultId(): string {
    const { topic, partition, offset } = this.#record;
    return `${topic}/${partition}/${offset}`;
  }

  /** A ticket or a dead letter carries the mapped event. So a later attempt does not depend on the mapping. */
  get bytes(): Uint8Array {
    if (this.#isMapped && this.event.ok) return Buffer.from(JSON.stringify(this.event.value));
    return this.#record.value ?? NOTHING;
  }

  get sizeBytes(): number {
    return this.#record.value?.byteLength ?? 0;
  }

  get timestamp(): number {
    return this.#record.timestamp;
  }

  get headers(): RecordHeaders {
    return this.#record.headers;
  }

  get isOurs(): () => boolean {
    return this.#place.isOurs;
  }

  get isCrowded(): () => boolean {
    return this.#place.isCrowded;
  }
}
