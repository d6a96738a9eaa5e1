import type { OutRecord } from "../../kernel/stream.ts";
import { crc32c } from "./crc32c.ts";

/** Where a batch has what, from its first byte on. Source: Kafka's documentation, "Record Batch". */
const at = {
  length: 8,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  firstTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  count: 57,
  records: 61,
} as const;
const MAGIC = 2;
const NOBODY = -1n;
/** Bytes that `length` does not count: the offset and itself. */
const BEFORE_LENGTH = 12;
/** A number of 32 bits takes five bytes at most. */
const MAX_VARINT = 5;
/** What a record has beside texts: its length, attributes, two offsets to the batch's, and how many headers. */
const MAX_OTHERS = 1 + 4 * MAX_VARINT;

/** Records of one partition as a producer sends them: uncompressed, and outside of transactions. @param unixMs their time. */
export function recordBatch(records: readonly OutRecord[], unixMs: number): Buffer {
  let most: number = at.records;
  for (const record of records) most += mostBytes(record);
  const bytes = Buffer.allocUnsafe(most);
  let end: number = at.records;
  let offsetDelta = 0;
  for (const record of records) end = writeRecord(bytes, end, offsetDelta++, record);
  bytes.fill(0, 0, at.records);
  bytes.writeInt32BE(end - BEFORE_LENGTH, at.length);
  bytes[at.magic] = MAGIC;
  bytes.writeInt32BE(records.length - 1, at.lastOffsetDelta);
  bytes.writeBigInt64BE(BigInt(unixMs), at.firstTimestamp);
  bytes.writeBigInt64BE(BigInt(unixMs), at.maxTimestamp);
  bytes.writeBigInt64BE(NOBODY, at.producerId);
  bytes.writeInt32BE(records.length, at.count);
  bytes.writeUInt32BE(crc32c(bytes.subarray(at.attributes, end)), at.crc);
  return bytes.subarray(0, end);
}

function mostBytes({ key, value, headers }: OutRecord): number {
  let most = MAX_OTHERS + mostOf(key) + MAX_VARINT + value.length;
  for (const name in headers) most += mostOf(name) + mostOf(headers[name] ?? "");
  return most;
}

/** Each unit of a text takes three bytes at most, since those that take four are two units. */
function mostOf(text: string): number {
  return MAX_VARINT + 3 * text.length;
}

/** @returns where it ends. */
function writeRecord(bytes: Buffer, start: number, offsetDelta: number, { key, value, headers }: OutRecord): number {
  // How long it is stands in front, and is known once it is written: then it moves up.
  const begin = start + MAX_VARINT;
  bytes[begin] = 0;
  let end = writeVarint(bytes, begin + 1, 0);
  end = writeVarint(bytes, end, offsetDelta);
  end = writeText(bytes, end, key);
  end = writeVarint(bytes, end, value.length);
  bytes.set(value, end);
  end += value.length;
  const entries = Object.entries(headers);
  end = writeVarint(bytes, end, entries.length);
  for (const [name, text] of entries) end = writeText(bytes, writeText(bytes, end, name), text);
  const moved = writeVarint(bytes, start, end - begin);
  bytes.copyWithin(moved, begin, end);
  return moved + end - begin;
}

function writeText(bytes: Buffer, start: number, text: string): number {
  const length = Buffer.byteLength(text);
  const begin = writeVarint(bytes, start, length);
  bytes.write(text, begin, length);
  return begin + length;
}

/** @param value zero or more, below 2^31. */
function writeVarint(bytes: Buffer, start: number, value: number): number {
  let end = start;
  // Written as Kafka writes numbers that may be negative: those that are not are twice as large.
  let rest = (value << 1) >>> 0;
  for (; rest >= 0x80; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
  bytes[end++] = rest;
  return end;
}
