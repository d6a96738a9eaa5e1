/** Reads fields one after the other. Every read beyond the end throws, so that a caller has one place to catch. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    const [byte = 0] = this.take(1);
    return byte;
  }

  /** @throws {EndOfBytesError} */
  take(count: number): Uint8Array {
    if (count > this.left)
      throw new EndOfBytesError(`ends after ${this.#bytes.length} bytes, in the middle of a field`);
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /**
   * Reads a length of one to three bytes, seven bits each, the lowest bits first. A longer form than necessary is
   * refused, as nodes refuse it. Source: Solana, "Compact-array format" (short_vec).
   */
  shortLength(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if ((byte === 0 && shift > 0) || value > 0xffff) break;
        return value;
      }
    }
    throw new EndOfBytesError("holds a length that is not in its shortest form");
  }
}

/** The bytes end too early or are malformed. */
export class EndOfBytesError extends Error {}
