/**
 * The commit metadata: the offsets beyond the watermark that are completed. The next owner of the partition does not
 * process them again. The format has one bit per offset, starting with the first offset beyond the watermark.
 */
const FORMAT = "s1:";
/** Brokers accept 4,096 bytes of metadata by default. Offsets that do not fit are processed again. */
const MAX_BYTES = 2_700;

/** @param settled completed offsets beyond `watermark`, in any order. @returns "" when there are none. */
export function encodeCompletedAhead(watermark: number, settled: Iterable<number>): string {
  const bytes: number[] = [];
  for (const offset of settled) {
    const bit = offset - watermark - 1;
    const byte = Math.floor(bit / 8);
    if (bit < 0 || byte >= MAX_BYTES) continue;
    while (bytes.length <= byte) bytes.push(0);
    bytes[byte] = (bytes[byte] ?? 0) | (1 << (bit % 8));
  }
  return bytes.length === 0 ? "" : FORMAT + Buffer.from(bytes).toString("base64url");
}

/**
 * @returns the completed offsets, ascending. Metadata in another format yields none: more records are then processed
 *   again, and none is lost.
 */
export function decodeCompletedAhead(watermark: number, metadata: string): number[] {
  const text = metadata.slice(FORMAT.length);
  if (!metadata.startsWith(FORMAT) || !/^[\w-]*$/.test(text)) return [];
  const settled: number[] = [];
  for (const [byte, bits] of Buffer.from(text, "base64url").entries()) {
    for (let bit = 0; bit < 8; bit++) if ((bits >> bit) & 1) settled.push(watermark + 1 + 8 * byte + bit);
  }
  return settled;
}
