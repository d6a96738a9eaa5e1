import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";
import { WireReader } from "./byte-reader.ts";
import { OutputBuffer } from "./output-buffer.ts";

const MAGIC = 0x184d2204;
/** Flags of the frame descriptor's first byte. The two highest bits are the version, which is 1. */
const VERSION_1 = 0b01;
const HAS_BLOCK_CHECKSUMS = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_CONTENT_CHECKSUM = 0x04;
const HAS_DICTIONARY = 0x01;
/** Set in a block's size when the block is not compressed. */
const IS_STORED = 0x80000000;
const MIN_MATCH = 4;

/**
 * Unpacks one LZ4 frame. Source: lz4/lz4, doc/lz4_Frame_format.md and lz4_Block_format.md. It replaces lz4js 0.2.0,
 * which ignores the end of the input, the end of its output, and the position of block checksums. Checksums are
 * skipped: a batch has its own.
 *
 * @throws {BatchUnreadableError} for any other input, and past `maxBytes`.
 */
export function unpackLz4(compressed: Uint8Array, maxBytes: number): Buffer {
  const frame = new WireReader(compressed);
  if (frame.littleEndian(4) !== MAGIC) throw new BatchUnreadableError("is no LZ4 frame");
  const flags = frame.byte();
  if (flags >>> 6 !== VERSION_1) throw new BatchUnreadableError("is an LZ4 frame of another version");
  if ((flags & HAS_DICTIONARY) !== 0) throw new BatchUnreadableError("needs a dictionary");
  // The largest block, the size of the content, and the checksum of this header. They control no allocation.
  frame.take(1 + ((flags & HAS_CONTENT_SIZE) !== 0 ? 8 : 0) + 1);

  const output = new OutputBuffer(maxBytes);
  for (let size = frame.littleEndian(4); size !== 0; size = frame.littleEndian(4)) {
    if (size >= IS_STORED) output.append(frame.take(size - IS_STORED));
    else unpackBlock(new WireReader(frame.take(size)), output);
    if ((flags & HAS_BLOCK_CHECKSUMS) !== 0) frame.take(4);
  }
  if ((flags & HAS_CONTENT_CHECKSUM) !== 0) frame.take(4);
  if (!frame.isAtEnd) throw new BatchUnreadableError("goes on after its end");
  return output.toBuffer();
}

/** Reads sequences of literals and a match each. The last sequence has literals only. */
function unpackBlock(block: WireReader, output: OutputBuffer): void {
  for (;;) {
    const token = block.byte();
    output.append(block.take(lengthOf(token >>> 4, block)));
    if (block.isAtEnd) return;
    const distance = block.littleEndian(2);
    output.repeat(distance, lengthOf(token & 15, block) + MIN_MATCH);
  }
}

/**
 * Reads four bits of a token. The value 15 announces further bytes, which are added up to the first that is not 255.
 */
function lengthOf(nibble: number, block: WireReader): number {
  if (nibble < 15) return nibble;
  let length = nibble;
  for (;;) {
    const byte = block.byte();
    length += byte;
    if (byte < 255) return length;
  }
}
