import manifest from "kafkajs/package.json" with { type: "json" };
import Encoder from "kafkajs/src/protocol/encoder.js";

const REPAIRED_VERSION = "2.2.4";
/** Bytes of zeros that kafkajs allocates for each new encoder: half a kilobyte for each record and each header. */
const INITIAL_SIZE = 511;
const MIN_GROWTH = 64;
const { nextPowerOfTwo, sizeOfVarLong } = Encoder;
const { writeVarLong } = Encoder.prototype;

/**
 * Starts an encoder of kafkajs without memory. The encoder takes memory from Node's pool as it writes, and writes
 * integers in place. The original clears 512 bytes for each record and each header, and makes a buffer for each number.
 * That is half of the processor time of a produce request.
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
 */
export function repairEncoder(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its encoder is repaired for ${REPAIRED_VERSION} only`);
  }
  Encoder.nextPowerOfTwo = (size) => (size === INITIAL_SIZE ? 0 : nextPowerOfTwo(size));
  // No byte past `offset` is ever read, so the memory need not be cleared.
  Encoder.prototype.ensureAvailable = function (this: Encoder, length: number): void {
    const needed = this.offset + length;
    if (needed <= this.buf.length) return;
    const grown = Buffer.allocUnsafe(Math.max(MIN_GROWTH, needed, 2 * this.buf.length));
    this.buf.copy(grown, 0, 0, this.offset);
    this.buf = grown;
  };
  Encoder.prototype.writeVarInt = function (this: Encoder, value: number): Encoder {
    this.ensureAvailable(5);
    let rest = Encoder.encodeZigZag(value) >>> 0;
    for (; rest >= 0x80; rest >>>= 7) this.buf[this.offset++] = (rest & 0x7f) | 0x80;
    this.buf[this.offset++] = rest;
    return this;
  };
  Encoder.sizeOfVarLong = (value) =>
    isSmall(value) ? Encoder.sizeOfVarInt(value) : sizeOfVarLong.call(Encoder, value);
  Encoder.prototype.writeVarLong = function (this: Encoder, value: number | bigint): Encoder {
    return isSmall(value) ? this.writeVarInt(value) : writeVarLong.call(this, value);
  };
}

/** Whether the encodings in 32 and in 64 bits are equal. */
function isSmall(value: number | bigint): value is number {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 30;
}
