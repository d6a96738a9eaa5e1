import manifest from "kafkajs/package.json" with { type: "json" };
import Encoder from "kafkajs/src/protocol/encoder.js";

const REPAIRED_VERSION = "2.2.4";
/** What kafkajs asks for when an encoder begins: one for each record and each header, of half a kilobyte of zeros. */
const INITIAL_SIZE = 511;
const MIN_GROWTH = 64;
const { nextPowerOfTwo, sizeOfVarLong } = Encoder;
const { writeVarLong } = Encoder.prototype;

/**
 * An encoder of kafkajs begins without memory, takes it from Node's pool as it writes, and writes whole numbers where they
 * belong. As it comes, each record and each header clears 512 bytes of its own, and each number is a buffer first: half
 * of the processor time that a produce request takes.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
 */
export function repairEncoder(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its encoder is repaired for ${REPAIRED_VERSION} only`);
  }
  Encoder.nextPowerOfTwo = (size) => (size === INITIAL_SIZE ? 0 : nextPowerOfTwo(size));
  // Nothing past `offset` is ever read, so it need not be cleared.
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

/** Whether it is written alike in 32 and in 64 bits. */
function isSmall(value: number | bigint): value is number {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 2 ** 30;
}
