import { fail, type Result } from "../../kernel/result.ts";
import type { StreamRecord } from "../../kernel/stream.ts";
import { MAX_EVENT_BYTES } from "../../messages/event.ts";
import { SCHEMA_HEADER } from "../../messages/record-key.ts";
import type { RecordDecoder } from "../../worker/ports.ts";
import type { SchemaType } from "./compiled-schema.ts";
import type { EventFormat } from "./event-format.ts";
import { UndecodableError } from "./json-text.ts";
import type { SchemaCache } from "./schema-cache.ts";
import { type FramedValue, type IdKind, keptSchema, readFrame, refText } from "./wire-format.ts";

const types = {
  avro: "AVRO",
  protobuf: "PROTOBUF",
  "json-schema": "JSON",
} as const satisfies Record<Exclude<EventFormat, "json" | "auto">, SchemaType>;
const titles = { AVRO: "Avro", PROTOBUF: "Protobuf", JSON: "JSON Schema" } as const satisfies Record<
  SchemaType,
  string
>;

interface DecoderOptions {
  readonly format: Exclude<EventFormat, "json">;
  readonly kind: IdKind;
}

/** Turns records in the format of a schema registry into JSON. */
export class RegistryDecoder implements RecordDecoder {
  readonly #cache: Pick<SchemaCache, "get" | "touch" | "load">;
  readonly #kind: IdKind;
  readonly #type: SchemaType | undefined;

  constructor(cache: Pick<SchemaCache, "get" | "touch" | "load">, { format, kind }: DecoderOptions) {
    this.#cache = cache;
    this.#kind = kind;
    this.#type = format === "auto" ? undefined : types[format];
  }

  prepare(records: readonly StreamRecord[]): Promise<void> | undefined {
    let loads: Promise<void>[] | undefined;
    for (const record of records) {
      const frame = this.#frame(record);
      if (frame === undefined || !frame.ok || frame.value === undefined) continue;
      const { ref } = frame.value;
      if (this.#cache.touch(ref)) continue;
      loads ??= [];
      loads.push(this.#cache.load(ref));
    }
    return loads === undefined ? undefined : Promise.all(loads).then(() => undefined);
  }

  decode(record: StreamRecord): StreamRecord {
    const frame = this.#frame(record);
    if (frame === undefined) return record;
    const json = frame.ok ? this.#json(frame.value, record) : frame;
    if (!json.ok) return this.#withFault(record, json.detail);
    return { ...positionOf(record), value: json.value, headers: record.headers };
  }

  /** Undefined for a record without a value, or with a fault. */
  #frame({ value, fault, formatHeaders = {} }: StreamRecord): Result<FramedValue | undefined> | undefined {
    if (value === undefined || fault !== undefined) return undefined;
    return readFrame(value, formatHeaders, this.#kind);
  }

  #json(frame: FramedValue | undefined, { value = NOTHING }: StreamRecord): Result<Uint8Array> {
    const wanted = this.#type;
    if (frame === undefined) {
      if (wanted === undefined) return { ok: true, value };
      return fail("does not begin with the magic byte 0 of a schema registry, and no header names its schema");
    }
    if (frame.body.byteLength > MAX_EVENT_BYTES) return fail(`is larger than ${MAX_EVENT_BYTES} bytes`);
    const name = `schema ${refText(frame.ref)}`;
    const schema = this.#cache.get(frame.ref);
    if (schema === undefined) throw new Error(`${name} was not loaded before its record is read`);
    if (!schema.ok) return fail(`names ${name}, which ${schema.detail}`);
    const { type } = schema.value;
    if (wanted !== undefined && type !== wanted)
      return fail(`names ${name} of ${titles[type]}, and EVENT_FORMAT wants ${titles[wanted]}`);
    try {
      return { ok: true, value: schema.value.decode(frame, MAX_EVENT_BYTES) };
    } catch (thrown) {
      if (thrown instanceof UndecodableError) return fail(`${thrown.message}, by ${name}`);
      throw thrown;
    }
  }

  /** The record keeps its bytes, and the schema that a header named, so that it can be decoded when it is replayed. */
  #withFault(record: StreamRecord, fault: string): StreamRecord {
    const { value = NOTHING, formatHeaders = {}, headers } = record;
    const kept = keptSchema(value, formatHeaders, this.#kind);
    const withSchema = kept === undefined ? headers : { ...headers, [SCHEMA_HEADER]: kept };
    return { ...positionOf(record), value, fault, headers: withSchema };
  }
}

const NOTHING = new Uint8Array();

function positionOf({ topic, partition, offset, timestamp, key }: StreamRecord) {
  return { topic, partition, offset, timestamp, ...(key === undefined ? {} : { key }) };
}
