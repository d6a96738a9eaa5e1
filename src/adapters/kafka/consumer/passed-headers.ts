import { isUtf8 } from "node:buffer";
import type { IHeaders } from "kafkajs";
import type { Log } from "../../../kernel/log.ts";
import type { HeaderValue, PartitionOffset, RecordHeaders } from "../../../kernel/stream.ts";
import { INPUT_KEY_HEADER, MAX_KEY_BYTES } from "../../../messages/record-key.ts";

/** The usual headers that identify a request across programs. Source: W3C "Trace Context"; Spring Kafka's reference. */
export const TRACE_HEADERS: readonly string[] = [
  ...["traceparent", "tracestate", "correlation-id", "x-correlation-id", "x-request-id", "kafka_correlationId"],
];

/** The headers of a record that are read. */
export interface HeaderChoice {
  /** Names of headers that a producer wrote, or `*` among them for all headers. */
  readonly names: readonly string[];
  /** Names of headers that Weir wrote itself. They are read whatever their size. */
  readonly own?: readonly string[];
  /** Whether the key of the record becomes a header. */
  readonly addsKey?: boolean;
  /** Names of headers that say how the value is written. They are read apart from the others. */
  readonly format?: readonly string[];
}

/** Chosen: the longest baggage of W3C is as long. Records leave room for it beside a value of RECORD_MAX_BYTES. */
const MAX_PASSED_BYTES = 8_192;
export const MOST_PASSED = 32;
export const ALL_HEADERS = "*";
const NO_HEADERS: RecordHeaders = {};

/**
 * Headers that are never passed on. Weir's own headers cannot be forged. A schema id or a Java class of the event would
 * make a reader decode the verdict with the schema of the event.
 */
const NEVER = /^(?:weir-|apicurio\.|__(?:key|value)_schema_id$|__(?:Key|Content)?_?TypeId__$|input-key$)/i;
/** Headers that describe the value of the event. They are passed only by name. */
const OF_THE_VALUE = /^(?:content-?(?:type|encoding|length)|kafka_reply(?:Topic|Partition))$/i;

/** Format headers with a text. The others hold numbers, some of which look like texts. */
const TEXTS = /(?:encoding|type)$/;

export function isNeverPassed(name: string): boolean {
  return NEVER.test(name);
}

/** Reads the chosen headers of records, within bounds. The first header that is left out is logged. */
export class PassedHeaders {
  readonly #names: readonly string[];
  readonly #own: readonly string[];
  readonly #isAll: boolean;
  readonly #addsKey: boolean;
  readonly #format: readonly string[];
  readonly #log: Pick<Log, "warn">;
  #isLogged = false;

  constructor({ names, own = [], addsKey = false, format = [] }: HeaderChoice, log: Pick<Log, "warn">) {
    this.#isAll = names.includes(ALL_HEADERS);
    this.#names = names.filter((name) => name !== ALL_HEADERS && !isNeverPassed(name));
    this.#own = own;
    this.#addsKey = addsKey;
    this.#format = format;
    this.#log = log;
  }

  /** Most records have none of these headers, and share one empty object. */
  read(headers: IHeaders | undefined, key: Uint8Array | null, at: PartitionOffset): RecordHeaders {
    // A header may have the name of a member of every object.
    let read: Record<string, HeaderValue> | undefined;
    const keep = (name: string, value: HeaderValue) => {
      read ??= Object.create(null) as Record<string, HeaderValue>;
      read[name] = value;
    };
    if (headers !== undefined) {
      for (const name of this.#own) {
        const bytes = firstOf(headers, name);
        if (bytes !== undefined) keep(name, headerValue(bytes));
      }
      this.#readPassed(headers, at, keep);
    }
    if (this.#addsKey && key !== null) {
      if (key.byteLength > MAX_KEY_BYTES) this.#cut(at);
      else keep(INPUT_KEY_HEADER, headerValue(key));
    }
    return read ?? NO_HEADERS;
  }

  /** The headers that say how the value is written; undefined where there is none. Their bytes are not copied. */
  format(headers: IHeaders | undefined): RecordHeaders | undefined {
    if (headers === undefined) return undefined;
    let read: Record<string, HeaderValue> | undefined;
    for (const name of this.#format) {
      const bytes = firstOf(headers, name);
      if (bytes === undefined) continue;
      read ??= {};
      read[name] = isUtf8(bytes) && TEXTS.test(name) ? Buffer.from(bytes).toString() : bytes;
    }
    return read;
  }

  #readPassed(headers: IHeaders, at: PartitionOffset, keep: (name: string, value: HeaderValue) => void): void {
    let [count, room] = [0, MAX_PASSED_BYTES];
    for (const name of this.#isAll ? this.#wanted(headers) : this.#names) {
      const bytes = firstOf(headers, name);
      if (bytes === undefined) continue;
      const size = Buffer.byteLength(name) + bytes.length;
      if (count >= MOST_PASSED || size > room) {
        this.#cut(at);
        continue;
      }
      count++;
      room -= size;
      keep(name, headerValue(bytes));
    }
  }

  /** The named headers come first, so that others take no room from them. */
  #wanted(headers: IHeaders): Iterable<string> {
    const others = Object.keys(headers).filter((name) => !isNeverPassed(name) && !OF_THE_VALUE.test(name));
    return new Set([...this.#names, ...others]);
  }

  #cut({ topic, partition, offset }: PartitionOffset): void {
    if (this.#isLogged) return;
    this.#isLogged = true;
    const what = `a header is too large to be passed on: ${MOST_PASSED} headers and ${MAX_PASSED_BYTES} bytes are, and keys up to ${MAX_KEY_BYTES} bytes; further ones are left out without a log line`;
    this.#log.warn(what, { topic, partition, offset });
  }
}

/** A repeated name has a list of values. A header may lack a value, although the types of kafkajs say otherwise. */
function firstOf(headers: IHeaders, name: string): Uint8Array | undefined {
  const all: unknown = Object.hasOwn(headers, name) ? headers[name] : undefined;
  const first: unknown = Array.isArray(all) ? all[0] : all;
  if (typeof first === "string") return Buffer.from(first);
  return first instanceof Uint8Array ? first : undefined;
}

/** Text, or a copy of the bytes: the given bytes are a view of all that was fetched with them. */
function headerValue(bytes: Uint8Array): HeaderValue {
  return isUtf8(bytes) ? Buffer.prototype.utf8Slice.call(bytes, 0, bytes.length) : new Uint8Array(bytes);
}
