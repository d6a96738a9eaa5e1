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
/** Of a topic that is only read. */
const ANYBODYS: PartitionNow = { isOurs: () => true, isCrowded: () => false };

export interface ReadEventOptions {
  readonly place?: PartitionNow;
  /** Told of the addresses in it that are not read. */
  readonly onStrays?: OnStrays;
}

/** A record of an input topic as an event, or what is wrong with it. The topic decides the lane, whatever the event says. */
export function readEventRecord(record: StreamRecord, lane: Lane, options: ReadEventOptions = {}): InputRecord {
  return new EventRecord(record, lane, options);
}

/** What is no event has perhaps no id: its producer may know it by its key. */
function withKey({ topic, partition, offset, timestamp, value, headers, key }: StreamRecord): StreamRecord {
  return { topic, partition, offset, timestamp, value, headers: { ...headers, ...keyHeaders(key) } };
}

function eventIn({ value, fault }: StreamRecord, onStrays: OnStrays | undefined): Result<ScreeningEvent> {
  if (fault !== undefined) return fail(`the record ${fault}`);
  return value === undefined ? fail("the record has no value") : parseEvent(value, onStrays);
}

/** Holds the record alone, since thousands wait: what else is asked of it is made when it is. */
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
