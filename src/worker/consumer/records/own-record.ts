import type { RecordHeaders, StreamRecord } from "../../../kernel/stream.ts";

/**
 * A record that owns its bytes. The value of a delivered record is a view of the whole fetched or unpacked buffer. That
 * buffer has up to many MiB, and each kept view would keep it in memory.
 *
 * The bytes are kept as a string with one character per byte. A string copy of 170 bytes takes 70 ns. A buffer with its
 * own memory takes 500 ns. A buffer from Node's pool shares 64 KiB with others (measured, Node 24). Each read of
 * `value` creates the bytes again.
 */
export class OwnRecord implements StreamRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly timestamp: number;
  readonly headers: RecordHeaders;
  readonly #text: string | undefined;

  constructor({ topic, partition, offset, timestamp, value, headers }: StreamRecord) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.timestamp = timestamp;
    this.headers = headers;
    this.#text = value === undefined ? undefined : Buffer.prototype.latin1Slice.call(value, 0, value.byteLength);
  }

  get value(): Uint8Array | undefined {
    return this.#text === undefined ? undefined : Buffer.from(this.#text, "latin1");
  }
}
