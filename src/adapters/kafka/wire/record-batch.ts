import type { OutRecord } from "../../../kernel/stream.ts";
import type { OutBatch } from "../../../worker/consumer/output/ordered-publisher.ts";
import { wholeBatch } from "../kafkajs-patches/whole-batches.ts";
import { at, BEFORE_LENGTH, MAGIC } from "./batch-layout.ts";
import { crc32c } from "./crc32c.ts";
import { MAX_VARINT, readVarint, varintEnd, varintLength, writeVarint } from "./varint.ts";

const NOBODY = -1n;
/** Bytes of the length field of nearly every record, for records of 64 to 8,191 bytes. */
const LIKELY_VARINT = 2;
/** Bytes of a record beside its texts: its length, attributes, two deltas to the batch, and the number of headers. */
const MAX_OTHERS = 1 + 4 * MAX_VARINT;
/** Up to this length, a loop over the characters writes a text faster than two calls out of the engine. */
const SHORT_TEXT = 100;
const MIN_BYTES = 512;
/** Room for the request header in front of a batch: the names of a topic and a client, and some 50 bytes. */
const ROOM_BEFORE = 512;

/**
 * Records of one partition as a producer sends them: uncompressed, and outside of transactions. Each record is encoded
 * when it arrives, so only its bytes wait for the send.
 */
export class RecordBatch implements OutBatch {
  #bytes: Buffer;
  #end: number = at.records;
  #count = 0;
  #isSent = false;

  /** @param bytes expected size; the batch grows where that is too small. */
  constructor(bytes = 0) {
    this.#bytes = allocated(Math.max(bytes, MIN_BYTES));
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes that were written so far. */
  get size(): number {
    return this.#end;
  }

  add(record: OutRecord, maxBytes: number): boolean {
    this.#makeRoomFor(mostBytes(record));
    const end = writeRecord(this.#bytes, this.#end, this.#count, record);
    if (this.#count > 0 && end > maxBytes) return false;
    this.#end = end;
    this.#count++;
    return true;
  }

  split(count: number): readonly [RecordBatch, RecordBatch] {
    const parts = [new RecordBatch(this.size), new RecordBatch(this.size)] as const;
    let start: number = at.records;
    for (let nth = 0; nth < this.#count; nth++) start = parts[nth < count ? 0 : 1].#addFrom(this.#bytes, start);
    return parts;
  }

  bytes(unixMs: number): Buffer {
    // An earlier send of the same memory may still be in flight.
    if (this.#isSent) this.#move(this.#end);
    this.#isSent = true;
    const [bytes, end] = [this.#bytes, this.#end];
    bytes.fill(0, 0, at.records);
    bytes.writeInt32BE(end - BEFORE_LENGTH, at.length);
    bytes[at.magic] = MAGIC;
    bytes.writeInt32BE(this.#count - 1, at.lastOffsetDelta);
    bytes.writeBigInt64BE(BigInt(unixMs), at.firstTimestamp);
    bytes.writeBigInt64BE(BigInt(unixMs), at.maxTimestamp);
    bytes.writeBigInt64BE(NOBODY, at.producerId);
    bytes.writeInt32BE(this.#count, at.count);
    bytes.writeUInt32BE(crc32c(bytes.subarray(at.attributes, end)), at.crc);
    return wholeBatch(bytes.subarray(0, end), ROOM_BEFORE);
  }

  /** Adds the record that begins at `start` of another batch's bytes. @returns the end of the record in those bytes. */
  #addFrom(bytes: Buffer, start: number): number {
    const begin = varintEnd(bytes, start);
    const end = begin + readVarint(bytes, start);
    // Behind its attributes and the time, a byte each, a record holds its index in its batch.
    const rest = varintEnd(bytes, begin + 2);
    this.#makeRoomFor(MAX_OTHERS + end - rest);
    const own = this.#end + LIKELY_VARINT;
    const deltaEnd = writeVarint(this.#bytes, writeVarint(this.#bytes, writeByte(this.#bytes, own), 0), this.#count++);
    bytes.copy(this.#bytes, deltaEnd, rest, end);
    this.#end = putLength(this.#bytes, this.#end, deltaEnd + end - rest);
    return end;
  }

  #makeRoomFor(most: number): void {
    const needed = this.#end + most;
    if (needed <= this.#bytes.length) return;
    this.#move(Math.max(needed, 2 * this.#bytes.length));
  }

  #move(bytes: number): void {
    const moved = allocated(bytes);
    this.#bytes.copy(moved, at.records, at.records, this.#end);
    this.#bytes = moved;
  }
}

function allocated(bytes: number): Buffer {
  return Buffer.allocUnsafeSlow(ROOM_BEFORE + bytes).subarray(ROOM_BEFORE);
}

function mostBytes({ key, value, headers }: OutRecord): number {
  let most = MAX_OTHERS + mostOf(key) + mostOf(value);
  for (const name in headers) most += mostOf(name) + mostOf(headers[name] ?? "");
  return most;
}

/** Each UTF-16 unit of a text takes three bytes at most, since a character of four bytes has two units. */
function mostOf(value: string | Uint8Array): number {
  return MAX_VARINT + (typeof value === "string" ? 3 : 1) * value.length;
}

/** @returns the end of the record. */
function writeRecord(bytes: Buffer, start: number, offsetDelta: number, { key, value, headers }: OutRecord): number {
  let end = writeByte(bytes, start + LIKELY_VARINT);
  end = writeVarint(bytes, end, 0);
  end = writeVarint(bytes, end, offsetDelta);
  end = writeValue(bytes, writeValue(bytes, end, key), value);
  let count = 0;
  for (const _ in headers) count++;
  end = writeVarint(bytes, end, count);
  for (const name in headers) end = writeValue(bytes, writeText(bytes, end, name), headers[name] ?? "");
  return putLength(bytes, start, end);
}

function writeValue(bytes: Buffer, start: number, value: string | Uint8Array): number {
  if (typeof value === "string") return writeText(bytes, start, value);
  const begin = writeVarint(bytes, start, value.length);
  bytes.set(value, begin);
  return begin + value.length;
}

/** Writes the length of a record into the room in front of it. @returns the new end of the record. */
function putLength(bytes: Buffer, start: number, end: number): number {
  const begin = start + LIKELY_VARINT;
  const length = end - begin;
  const room = varintLength(length);
  if (room !== LIKELY_VARINT) bytes.copyWithin(start + room, begin, end);
  return writeVarint(bytes, start, length) + length;
}

function writeText(bytes: Buffer, start: number, text: string): number {
  if (text.length < SHORT_TEXT) {
    const begin = writeVarint(bytes, start, text.length);
    let at = 0;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) break;
      bytes[begin + at] = unit;
    }
    if (at === text.length) return begin + at;
  }
  const length = Buffer.byteLength(text);
  const begin = writeVarint(bytes, start, length);
  bytes.write(text, begin, length);
  return begin + length;
}

/** Writes a zero, which is the value of every record's attributes. */
function writeByte(bytes: Buffer, start: number): number {
  bytes[start] = 0;
  return start + 1;
}
