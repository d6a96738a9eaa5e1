/** Castagnoli's polynomial, with its bits reversed. */
const POLYNOMIAL = 0x82f63b78;
/**
 * Bytes that are processed at once, each by its own table ("slicing"). Eight at a time take one and a half times as
 * long.
 */
const SLICES = 16;

const tables = makeTables();

/** CRC-32C, an unsigned 32-bit number, as in every batch of records. */
export function crc32c(bytes: Uint8Array): number {
  // A DataView reads a word at once, at any position.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
    crc =
      word(12, crc ^ view.getInt32(at, true)) ^
      word(8, view.getInt32(at + 4, true)) ^
      word(4, view.getInt32(at + 8, true)) ^
      word(0, view.getInt32(at + 12, true));
  }
  for (; at < bytes.length; at++) crc = entry(0, crc ^ (bytes[at] as number)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** The checksum of four bytes, the first of them lowest, with `after` bytes behind them. */
function word(after: number, value: number): number {
  return (
    entry(after + 3, value) ^
    entry(after + 2, value >>> 8) ^
    entry(after + 1, value >>> 16) ^
    entry(after, value >>> 24)
  );
}

function entry(slice: number, index: number): number {
  return tables[(slice << 8) | (index & 0xff)] as number;
}

/** The checksum of a byte with 0 to 15 zero bytes behind it: 256 entries each. */
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
