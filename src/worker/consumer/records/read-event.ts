import { fail, type Result } from "../../../kernel/result.ts";
import type { RecordHeaders, StreamRecord } from "../../../kernel/stream.ts";
import type { ScreeningEvent } from "../../../messages/event.ts";
import type { Lane } from "../../../messages/lane.ts";
import { parseEvent } from "../../../messages/parse-event.ts";
import { keyHeaders } from "../../../messages/record-key.ts";
import type { OnStrays } from "../../../messages/unread/stray-address.ts";
import type { Source } from "../../../messages/verdict.ts";
import type { InputRecord, PartitionNow } from "../../ports.ts";
import { OwnRecord } from "./own-record.ts";

const NOTHING = new Uint8Array();
/** For a topic that is only read. */
const ANYBODYS: PartitionNow = { isOurs: () => true, isCrowded: () => false };

export interface ReadEventOptions {
  readonly place?: PartitionNow;
  /** Called with addresses in the event that are not read. */
  readonly onStrays?: OnStrays;
}

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

function eventIn({ value, fault }: StreamRecord, onStrays: OnStrays | undefined): Result<ScreeningEvent> {
  if (fault !== undefined) return fail(`the record ${fault}`);
  return value === undefined ? fail("the record has no value") : parseEvent(value, onStrays);
}

/** Holds only the record, since thousands of records wait. All other properties are computed on demand. */
class EventRecord implements InputRecord {
  readonly event: Result<ScreeningEvent>;
  readonly lane: Lane;
  readonly revision = 0;
  readonly #record: StreamRecord;
  readonly #place: PartitionNow;

  constructor(record: StreamRecord, lane: Lane, { place = ANYBODYS, onStrays }: ReadEventOptions) {
    this.event = eventIn(record, onStrays);
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

  get bytes(): Uint8Array {
    return this.#record.value ?? NOTHING;
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
