/** Initial size that is enough for most jobs, bytes. */
const FIRST_SIZE = 16_384;

/** Writes values one after the other into one growing piece of memory. Little-endian, without alignment. */
export class BytesWriter {
  #buffer = Buffer.alloc(FIRST_SIZE);
  #at = 0;
  readonly #numbers = new Map<string, number>();

  /** Writes a number from 0 to 2^32 - 1. */
  integer(value: number): void {
    this.#room(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  float(value: number): void {
    this.#room(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
  }

  /** Writes a number from 0 to 2^64 - 1. */
  long(value: bigint): void {
    this.#room(8);
    this.#at = this.#buffer.writeBigUInt64LE(value, this.#at);
  }

  bytes(value: Uint8Array): void {
    this.integer(value.length);
    this.#room(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  /** ASCII. A repeated text is written as its number only. */
  text(value: string): void {
    const known = this.#numbers.get(value);
    this.integer(known ?? this.#numbers.size);
    if (known !== undefined) return;
    this.#numbers.set(value, this.#numbers.size);
    this.integer(value.length);
    this.#room(value.length);
    this.#at += this.#buffer.write(value, this.#at, "latin1");
  }

  list<T>(values: readonly T[], write: (value: T) => void): void {
    this.integer(values.length);
    for (const value of values) write(value);
  }

  /** A copy of all written bytes. */
  written(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.subarray(0, this.#at));
  }

  #room(count: number): void {
    if (this.#at + count <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(2 * this.#buffer.length, this.#at + count));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** Reads the values of a `BytesWriter`, in the same order. */
export class BytesReader {
  readonly #bytes: Uint8Array;
  readonly #buffer: Buffer;
  #at = 0;
  readonly #texts: string[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  integer(): number {
    this.#at += 4;
    return this.#buffer.readUInt32LE(this.#at - 4);
  }

  float(): number {
    this.#at += 8;
    return this.#buffer.readDoubleLE(this.#at - 8);
  }

  long(): bigint {
    this.#at += 8;
    return this.#buffer.readBigUInt64LE(this.#at - 8);
  }

  /** A view of the bytes. */
  bytes(): Uint8Array {
    const length = this.integer();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const number = this.integer();
    const known = this.#texts[number];
    if (known !== undefined) return known;
    const length = this.integer();
    this.#at += length;
    const text = this.#buffer.toString("latin1", this.#at - length, this.#at);
    this.#texts.push(text);
    return text;
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.integer() }, read);
  }
}
