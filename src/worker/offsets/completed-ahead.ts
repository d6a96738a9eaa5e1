/**
 * What is committed beside a watermark: which offsets past it are settled, too, so that whoever goes on from there does
 * not work on them again. One bit an offset, from the first past the watermark on.
 */
const FORMAT = "s1:";
/** The brokers take 4,096 bytes of metadata by default; offsets further ahead than this tells of come again. */
const MAX_BYTES = 2_700;

/** @param settled offsets past `watermark`, in any order. @returns "" when there are none. */
export function encodeSettledAhead(watermark: number, settled: Iterable<number>): string {
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

/** Offsets ascending. What is no such text tells of none: then more is worked on again, and nothing is lost. */
export function decodeSettledAhead(watermark: number, metadata: string): number[] {
  const text = metadata.slice(FORMAT.length);
  if (!metadata.startsWith(FORMAT) || !/^[\w-]*$/.test(text)) return [];
  const settled: number[] = [];
  for (const [byte, bits] of Buffer.from(text, "base64url").entries()) {
    for (let bit = 0; bit < 8; bit++) if ((bits >> bit) & 1) settled.push(watermark + 1 + 8 * byte + bit);
  }
  return settled;
}
