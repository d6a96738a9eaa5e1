/** A number of 32 bits takes five bytes at most. */
export const MAX_VARINT = 5;

/*
 * Numbers as records hold them, seven bits a byte. They are written as Kafka writes numbers that may be negative: those that
 * are not are twice as large. All of these are zero or more, below 2^31.
 */

/** @returns where it ends. */
export function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let end = start;
  let rest = (value << 1) >>> 0;
  for (; rest >= 0x80; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
  bytes[end++] = rest;
  return end;
}

/** How many bytes it takes. */
export function varintLength(value: number): number {
  let length = 1;
  for (let rest = (value << 1) >>> 7; rest > 0; rest >>>= 7) length++;
  return length;
}

export function readVarint(bytes: Uint8Array, start: number): number {
  let value = 0;
  for (let at = varintEnd(bytes, start) - 1; at >= start; at--) value = (value << 7) | ((bytes[at] as number) & 0x7f);
  return value >>> 1;
}

/** Where the number ends that begins at `start`. */
export function varintEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while ((bytes[end] as number) >= 0x80) end++;
  return end + 1;
}
