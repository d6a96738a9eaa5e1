import type { IHeaders } from "kafkajs";
import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";
import type { FetchedBatch } from "./fetched-batch.ts";

/** Most headers of one record that are read. Chosen: tracing and routing programs add some twenty. */
export const MOST_HEADERS = 128;

/** A record, with the fields that kafkajs needs to deliver it and to read on. */
export interface DecodedRecord {
  readonly offset: string;
  /** Unix milliseconds, as text. */
  readonly timestamp: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Empty for a record that has more than `MOST_HEADERS`. */
  readonly headers: IHeaders;
  readonly headerCount: number;
  /** True for a record that is not delivered: kafkajs reads past it. */
  isControlRecord: boolean;
  readonly batchContext: Pick<FetchedBatch, "producerId" | "inTransaction" | "leaderEpoch">;
}

/**
 * The records of an unpacked batch. Keys, values and headers are parts of `bytes`. Work and memory are linear in the
 * number of bytes, whatever a producer wrote.
 *
 * @throws {BatchUnreadableError} for bytes that are no such records.
 */
export function decodeRecords(batch: FetchedBatch, bytes: Buffer): readonly DecodedRecord[] {
  const { from, firstTimestamp, maxTimestamp, isLogAppendTime, isControl, count } = batch;
  const { producerId, inTransaction, leaderEpoch } = batch;
  const batchContext = { producerId, inTransaction, leaderEpoch };
  const reader = new RecordReader(bytes);
  const records: DecodedRecord[] = [];
  for (let i = 0; i < count; i++) {
    const end = reader.int() + reader.at;
    // The attributes of a record have no meaning yet.
    reader.skip(1);
    const timestamp = firstTimestamp + reader.long();
    const offset = from + reader.int();
    const [key, value] = [reader.bytes(), reader.bytes()];
    const headerCount = reader.int();
    const headers = headerCount > 0 && headerCount <= MOST_HEADERS ? readHeaders(reader, headerCount) : {};
    if (headerCount <= MOST_HEADERS && reader.at !== end)
      throw new BatchUnreadableError("holds a record of another length");
    reader.goTo(end);
    records.push({
      offset: String(offset),
      timestamp: String(isLogAppendTime ? maxTimestamp : timestamp),
      key,
      value,
      headers,
      headerCount,
      isControlRecord: isControl,
      batchContext,
    });
  }
  return records;
}

/** A repeated name has a list of values, as kafkajs returns it. */
function readHeaders(reader: RecordReader, count: number): IHeaders {
  const headers: Record<string, Buffer | Buffer[]> = Object.create(null) as Record<string, Buffer | Buffer[]>;
  for (let i = 0; i < count; i++) {
    const name = (reader.bytes() ?? NO_BYTES).toString();
    // A header may lack a value, although the types of kafkajs say otherwise.
    const value = reader.bytes() as Buffer;
    const known = headers[name];
    if (Array.isArray(known)) known.push(value);
    else headers[name] = known === undefined ? value : [known, value];
  }
  return headers;
}

const NO_BYTES = Buffer.alloc(0);

/** Reads varints and byte strings from front to back. @throws {BatchUnreadableError} past the end. */
class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  skip(count: number): void {
    this.goTo(this.#at + count);
  }

  goTo(place: number): void {
    if (place < this.#at || place > this.#bytes.length)
      throw new BatchUnreadableError("holds records that are cut short");
    this.#at = place;
  }

  /** A number of 32 bits. */
  int(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    throw new BatchUnreadableError("holds a number that is too long");
  }

  /** A number of 64 bits. Nearly always it takes one to three bytes. */
  long(): number {
    let value = 0n;
    let small = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte();
      if (shift < 28) small |= (byte & 0x7f) << shift;
      else value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte >= 0x80) continue;
      if (shift < 28) return (small >>> 1) ^ -(small & 1);
      const all = BigInt.asUintN(64, value | BigInt(small));
      return Number(BigInt.asIntN(64, (all >> 1n) ^ -(all & 1n)));
    }
    throw new BatchUnreadableError("holds a number that is too long");
  }

  /** Null for a length below zero. */
  bytes(): Buffer | null {
    const length = this.int();
    if (length < 0) return null;
    const from = this.#at;
    this.skip(length);
    return this.#bytes.subarray(from, this.#at);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new BatchUnreadableError("holds records that are cut short");
    this.#at++;
    return byte;
  }
}
