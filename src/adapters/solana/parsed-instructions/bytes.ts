/** Encoders of instruction data, in the form of the network's programs: little-endian, options behind a byte. */

export const u32 = (value: number) => Uint8Array.of(value, 0, 0, 0);
export const u64 = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer);
export const text = (value: string) => {
  const bytes = new TextEncoder().encode(value);
  return bytesOf(u64(BigInt(bytes.length)), bytes);
};
export const bytesOf = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** An option: a first byte tells whether the value is present. */
export const option = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? Uint8Array.of(0) : bytesOf(Uint8Array.of(1), bytes);
export const numberOption = (number: bigint | undefined) => option(number === undefined ? undefined : u64(number));
