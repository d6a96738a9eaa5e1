import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";

/** Reads from front to back, and never past the end. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Number of bytes that were read. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** @throws {BatchUnreadableError} at the end. */
  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new BatchUnreadableError("ends too early");
    this.#at += 1;
    return byte;
  }

  /** The next `count` bytes as an unsigned number, least significant first. At most 4. */
  littleEndian(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value += this.byte() * 2 ** (8 * i);
    return value;
  }

  /** The next four bytes as an unsigned number, most significant first. */
  bigEndian32(): number {
    let value = 0;
    for (let i = 0; i < 4; i++) value = value * 256 + this.byte();
    return value;
  }

  /** The next `count` bytes, not copied. @throws {BatchUnreadableError} when there are fewer. */
  take(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#at) throw new BatchUnreadableError("ends too early");
    const taken = this.#bytes.subarray(this.#at, this.#at + count);
    this.#at += count;
    return taken;
  }
}
