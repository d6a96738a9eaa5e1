import manifest from "kafkajs/package.json" with { type: "json" };
import Decoder from "kafkajs/src/protocol/decoder.js";
import Long from "kafkajs/src/utils/long.js";

const REPAIRED_VERSION = "2.2.4";
const { readVarLong } = Decoder.prototype;
/** What each number is that takes a byte: kafkajs changes none of its own. */
const ofOneByte = Array.from({ length: 0x80 }, (_, byte) => Long.fromInt(Decoder.decodeZigZag(byte)));

/**
 * A decoder of kafkajs reads a number of a byte, as the time of nearly every record is beside its batch's, from a table. As
 * it comes, it reads each by some ten big integers, a third of what decoding a record makes.
 *
 * @throws when kafkajs is another version: then see whether it still needs this.
 */
export function repairDecoder(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its decoder is repaired for ${REPAIRED_VERSION} only`);
  }
  Decoder.prototype.readVarLong = function (this: Decoder): Long {
    const known = ofOneByte[this.buffer[this.offset] ?? -1];
    if (known === undefined) return readVarLong.call(this);
    this.offset++;
    return known;
  };
}
