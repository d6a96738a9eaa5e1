/** Castagnoli's polynomial, its bits reversed. */
const POLYNOMIAL = 0x82f63b78;
/** Bytes that are taken in at once, each by a table of its own ("slicing"): one at a time takes three times as long. */
const SLICES = 8;

const tables = makeTables();

/** CRC-32C, an unsigned 32-bit number, as every batch of records has it. */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
    const low = crc ^ word(bytes, at);
    const high = word(bytes, at + 4);
    crc =
      entry(7, low) ^
      entry(6, low >>> 8) ^
      entry(5, low >>> 16) ^
      entry(4, low >>> 24) ^
      entry(3, high) ^
      entry(2, high >>> 8) ^
      entry(1, high >>> 16) ^
      entry(0, high >>> 24);
  }
  for (; at < bytes.length; at++) crc = entry(0, crc ^ (bytes[at] as number)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function entry(slice: number, index: number): number {
  return tables[(slice << 8) | (index & 0xff)] as number;
}

/** Little-endian. */
function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

/** What a byte becomes with 0 to 7 zero bytes behind it: 256 entries each. */
function makeTables(): Int32Array {
  const made = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    made[byte] = crc;
  }
  for (let at = 256; at < made.length; at++) {
    const shorter = made[at - 256] as number;
    made[at] = (shorter >>> 8) ^ (made[shorter & 0xff] as number);
  }
  return made;
}
