import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";
import { WireReader } from "./byte-reader.ts";
import { OutputBuffer } from "./output-buffer.ts";

/**
 * The header that snappy-java, and so Kafka's Java client, writes before its chunks: 0x82 "SNAPPY" 0. Two version
 * numbers follow.
 */
const FRAME_MAGIC = Buffer.from("\x82SNAPPY\0", "latin1");
const FRAME_HEADER_BYTES = FRAME_MAGIC.length + 8;

/**
 * Unpacks snappy, plain or in snappy-java's framing. Source: google/snappy, format_description.txt. It replaces
 * snappyjs 0.7.0, which never ends on some streams: a four-byte literal length above 2^31 moves it backwards. It also
 * accepts streams that are shorter than their header claims.
 *
 * @throws {BatchUnreadableError} for any other input, and past `maxBytes`.
 */
export function unpackSnappy(compressed: Uint8Array, maxBytes: number): Buffer {
  const output = new OutputBuffer(maxBytes);
  if (!FRAME_MAGIC.equals(compressed.subarray(0, FRAME_MAGIC.length))) {
    unpackChunk(compressed, output, maxBytes);
    return output.toBuffer();
  }
  const frame = new WireReader(compressed);
  frame.take(FRAME_HEADER_BYTES);
  while (!frame.isAtEnd) unpackChunk(frame.take(frame.bigEndian32()), output, maxBytes - output.length);
  return output.toBuffer();
}

function unpackChunk(chunk: Uint8Array, output: OutputBuffer, maxBytes: number): void {
  const reader = new WireReader(chunk);
  const start = output.length;
  const length = varint(reader);
  if (length > maxBytes) throw new BatchUnreadableError(`unpacks to ${length} bytes, more than ${maxBytes}`);
  while (!reader.isAtEnd) {
    unpackElement(reader, output, start);
    if (output.length - start > length) throw new BatchUnreadableError("unpacks to more than it says");
  }
  if (output.length - start < length) throw new BatchUnreadableError("unpacks to less than it says");
}

function unpackElement(reader: WireReader, output: OutputBuffer, start: number): void {
  const tag = reader.byte();
  const upper = tag >>> 2;
  const kind = tag & 3;
  if (kind === 0) {
    // The values 60 to 63 announce a length in the following one to four bytes.
    output.append(reader.take((upper < 60 ? upper : reader.littleEndian(upper - 59)) + 1));
    return;
  }
  const distance = kind === 1 ? ((tag >>> 5) << 8) + reader.byte() : reader.littleEndian(kind === 2 ? 2 : 4);
  if (distance > output.length - start) throw new BatchUnreadableError("refers to bytes before its start");
  output.repeat(distance, kind === 1 ? (upper & 7) + 4 : upper + 1);
}

function varint(reader: WireReader): number {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = reader.byte();
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return value;
  }
  throw new BatchUnreadableError("says no readable length");
}
