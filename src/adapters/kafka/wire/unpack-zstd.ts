import { promisify } from "node:util";
import zlib from "node:zlib";
import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";
import { WireReader } from "./byte-reader.ts";

const decompress = promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress);

const MAGIC = 0xfd2fb528;
/** Frames with one of sixteen such numbers hold no content. */
const SKIPPABLE = 0x184d2a50;
const SKIPPABLE_MASK = 0xfffffff0;
const HAS_CHECKSUM = 0x04;
const IS_SINGLE_SEGMENT = 0x20;
const BYTES_OF_DICTIONARY_ID = [0, 1, 2, 4] as const;
const BYTES_OF_CONTENT_SIZE = [0, 2, 4, 8] as const;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/**
 * Unpacks all zstd frames of a batch: a streaming producer may write several, and skippable frames between them. Node
 * unpacks one frame. Source: RFC 8878, 3.1.
 *
 * @throws {BatchUnreadableError} for any other input; the error of Node for a frame that is broken or too large.
 */
export async function unpackZstd(compressed: Buffer, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = maxBytes;
  for (const frame of framesOf(compressed)) {
    const part = await decompress(frame, { maxOutputLength: Math.max(1, left) });
    if (part.length > left) throw new BatchUnreadableError(`unpacks to more than ${maxBytes} bytes`);
    left -= part.length;
    parts.push(part);
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

/** The frames with content, each with its header and checksum. */
function* framesOf(compressed: Buffer): Iterable<Buffer> {
  const reader = new WireReader(compressed);
  let from = 0;
  while (!reader.isAtEnd) {
    const magic = reader.littleEndian(4);
    if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE) {
      reader.take(reader.littleEndian(4));
      from = reader.at;
      continue;
    }
    if (magic !== MAGIC) throw new BatchUnreadableError("holds no zstd frame");
    passFrame(reader);
    yield compressed.subarray(from, reader.at);
    from = reader.at;
  }
}

/** Skips a frame's header, blocks and checksum. */
function passFrame(reader: WireReader): void {
  const descriptor = reader.byte();
  const isSingle = (descriptor & IS_SINGLE_SEGMENT) !== 0;
  const sizeFlag = descriptor >>> 6;
  const sizeBytes = sizeFlag === 0 && isSingle ? 1 : (BYTES_OF_CONTENT_SIZE[sizeFlag] ?? 0);
  reader.take((isSingle ? 0 : 1) + (BYTES_OF_DICTIONARY_ID[descriptor & 3] ?? 0) + sizeBytes);
  for (let isLast = false; !isLast; ) {
    const block = reader.littleEndian(3);
    isLast = (block & 1) === 1;
    const type = (block >>> 1) & 3;
    if (type === RESERVED_BLOCK) throw new BatchUnreadableError("holds a zstd block of a reserved type");
    reader.take(type === RLE_BLOCK ? 1 : block >>> 3);
  }
  if ((descriptor & HAS_CHECKSUM) !== 0) reader.take(4);
}
