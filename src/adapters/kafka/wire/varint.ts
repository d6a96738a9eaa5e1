/** Most bytes of a number of 32 bits. */
export const MAX_VARINT = 5;

/*
 * Writes a number in the encoding of records, seven bits a byte. Kafka's encoding allows negative numbers, so a value
 * that is not negative is doubled first. All values here are zero or more, below 2^31.
 */

/** @returns the end of the number. */
export function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let end = start;
  let rest = (value << 1) >>> 0;
  for (; rest >= 0x80; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
  bytes[end++] = rest;
  return end;
}

/** Number of bytes of the encoded value. */
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

/** The end of the number that begins at `start`. */
export function varintEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while ((bytes[end] as number) >= 0x80) end++;
  return end + 1;
}
